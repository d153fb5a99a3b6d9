"""Fits the constants of the step-time model on measured steps, and says how well it predicts what it had not seen."""
