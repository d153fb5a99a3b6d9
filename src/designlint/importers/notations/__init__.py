"""Reads the notations that foreign files are written in, with the place of every value."""
