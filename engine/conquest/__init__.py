"""Conquest of Paradise: explore the Pacific, build chains of canoes, hold an island empire."""
