"""The contract of every game, checked in random play. A new game is checked without an edit."""
