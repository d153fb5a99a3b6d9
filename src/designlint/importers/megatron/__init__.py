"""Megatron-LM: arguments as its own parser takes them, from command lines and from YAML."""
