"""
Plans: from a brief (a design with gaps and aims) to a complete design that passes every rule.

In: what is fixed and what is aimed at. Out: a commented design, alternatives with the term that loses, or a refusal.
It computes nothing that a derivation does not: layouts are costed by the derivations that `check` and `why` run.
"""
