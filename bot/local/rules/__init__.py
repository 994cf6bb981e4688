"""What Discord would refuse, refused here: the limits of messages, components, modals and commands."""
