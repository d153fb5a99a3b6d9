"""Calculations: one module per topic, each function a fact that follows from others."""
