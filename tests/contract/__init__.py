"""What every game must keep to, checked in random play.

A game of the catalog is in without an edit here.
"""
