"""
Plans: from a brief (a design with gaps and aims) to a complete design that passes every rule.

In: what is fixed and what is aimed at. Out: a commented design, alternatives with the term that loses, or a refusal.
It knows no formula of its own: layouts are costed by the derivations that `check` and `why` run.
"""
