"""Reports as JSON: written as they are, read back value by value, each of its type or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.findings import model, notices
from designlint.findings.model import Severity, Verdict
from designlint.findings.report import Report
from designlint.reading.bases import Base
from designlint.reading.discovery import Unjudged
from designlint.reading.location import Location, Replacement

if TYPE_CHECKING:
    from collections.abc import Callable

    #: Makes a value of what JSON holds. Raises ValueError, TypeError where it holds something else.
    Read = Callable[[Any], Any]


def fields(one: Any) -> list[Any]:
    """The values of an instance in their order, for `json.dumps`."""
    return [getattr(one, name) for name in one.__struct_fields__]


def _exactly(*types: type) -> Read:
    def read(value: Any) -> Any:
        if type(value) not in types:
            raise TypeError(f"{value!r} is none of {types}")
        return value

    return read


def _optional(read: Read) -> Read:
    return lambda value: None if value is None else read(value)


def _read_list(read: Read) -> Read:
    return lambda value: [read(one) for one in array(value)]


def _several(read: Read) -> Read:
    return lambda value: tuple(read(one) for one in array(value))


def _read_mapping(read: Read) -> Read:
    return lambda value: {name: read(one) for name, one in mapping(value).items()}


def _row(make: type[Any], *reads: Read) -> Read:
    if len(reads) != len(getattr(make, "_fields", ()) or make.__struct_fields__):
        raise TypeError(f"{make.__name__} has a field that is not read: no report could be used again")

    def read(value: Any) -> Any:
        return make(*[each(one) for each, one in zip(reads, array(value), strict=True)])

    return read


text, flag, count = _exactly(str), _exactly(bool), _exactly(int)
number, plain = _exactly(int, float), _exactly(bool, int, float, str)
array, mapping = _exactly(list), _exactly(dict)

location = _row(Location, text, count, count, count, count)
quantity = _row(model.Quantity, plain, text, text, text, _optional(location), text, text, _optional(number))
change = _row(model.Change, text, _optional(text))
replacement = _row(Replacement, location, text)
fix = _row(
    model.Fix, text, text, _several(change), text, flag, count, count, count, _several(replacement), _several(text)
)  # fmt: skip
margin = _row(model.Margin, text, text, text, number, number, text, number, text, text, text)
acceptance = _row(model.Acceptance, text, text, text, text, _optional(location), text)
finding = _row(
    model.Finding, text, Severity, text, location, text, text, _read_mapping(quantity), _read_mapping(quantity), _read_list(text),
    _several(fix), text, _optional(margin), _optional(acceptance), text, text, _several(text),
)  # fmt: skip
outcome = _row(
    model.Outcome, text, text, text, Verdict, _several(text), _optional(margin), _optional(location), count, flag
)  # fmt: skip
avoidance = _row(notices.Avoidance, text, text, text, text)
adjustment = _row(notices.Adjustment, text, _several(text), text, text, text, _several(text))
standard = _row(notices.Standard, text, Severity, text, text, _several(text), _several(text), _several(text))
fixed = _row(notices.Fixed, text, text, Severity, text, text, text, _several(change))
unjudged = _row(Unjudged, text, text)
#: A report.
report = _row(
    Report, _read_list(text), _read_list(finding), _read_list(outcome), _several(avoidance), text, _read_list(finding),
    _several(adjustment), _read_mapping(text), _several(fixed), _read_mapping(standard), _read_mapping(number), count,
    _several(unjudged),
)  # fmt: skip
#: The files that a design extends.
bases = _read_list(_row(Base, text, text, text))
