"""Round numbers of sequences and servers."""

from __future__ import annotations

from math import ceil, floor, log10


def batch(tokens: float, sequence: int, gpus: int) -> int:
    """Sequences of one step near a number of tokens, a power of two times whatever odd number the GPUs hold."""
    odd = gpus // (gpus & -gpus)
    wanted = max(tokens / sequence / odd, 1)
    return int(odd * 2 ** round_log(wanted))


def round_log(number: float) -> int:
    """The exponent of the power of two nearest to a number, by ratio."""
    power = 0
    while 2 ** (power + 1) <= number * 2**0.5:
        power += 1
    return power


def whole(number: float, step: int) -> int:
    """The least multiple of a step that is not below a number."""
    return ceil(number / step) * step


def exact(share: float, *, up: bool = False) -> str:
    """A share in percent with three digits, as designs state one that other numbers follow from."""
    scale = 10 ** (2 - floor(log10(share * 100)))
    percent = (ceil if up else round)(share * 100 * scale) / scale
    return f"{percent:.3g} %"
