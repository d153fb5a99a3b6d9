"""Purposes of fabrics, by the traffic of a cluster that they carry."""

from __future__ import annotations

#: The exchange of training jobs; the ontology says when a converged fabric carries it.
TRAINING = frozenset({"compute", "converged"})
STORAGE = frozenset({"storage", "converged"})
MANAGEMENT = frozenset({"management", "out-of-band"})
