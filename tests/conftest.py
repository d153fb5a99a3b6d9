"""What holds for all tests."""

import os

os.environ["DESIGNLINT_CACHE_DIR"] = (
    ""  # no test reads or writes reports that the developer keeps, or hides a fault by them
)
