"""Computer players, for seats that no person holds."""
