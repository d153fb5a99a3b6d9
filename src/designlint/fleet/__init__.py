"""
Many designs in one SPARQL store that somebody runs: loaded as named graphs, judged there, asked there.

In come designs and the address of a store. Out go requests of SPARQL 1.1 (Query, Update, Graph Store Protocol) and verdicts.
Nothing is sent unless a user names an address; credentials come from the environment alone. It is the only room
that knows a network.
"""
