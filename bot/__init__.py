"""The Discord bot: commands, panels, storage and the local table."""
