"""`python -m designlint`."""

from designlint.cli import main

main()
