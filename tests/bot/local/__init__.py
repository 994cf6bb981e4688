"""The local Discord, tried with an ordinary discord.py bot."""
