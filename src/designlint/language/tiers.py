"""The tiers of switches in a tree."""

#: From the servers up, as `role` of a switch names them.
TIERS = ("leaf", "spine", "core")
