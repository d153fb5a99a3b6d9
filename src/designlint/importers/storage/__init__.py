"""Measurements of storage, tool by tool: their output becomes rates of reading and writing."""
