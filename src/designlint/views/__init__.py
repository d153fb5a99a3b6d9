"""
What commands other than `check` show of a design: one module per view.

In: a design, or differences. Out: text for a terminal, or plain data.
It knows no formula and no rule by name.
"""
