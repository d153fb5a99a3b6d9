"""The planner's layout as a change of a design: what would be written, and what it brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.graph.subjects import Subject
from designlint.language.values import spell_value
from designlint.layouts import jobs
from designlint.layouts.jobs import fact
from designlint.layouts.search import domains_spanned, of_degrees, short
from designlint.layouts.space import ENDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.layouts.jobs import LayoutComparison
    from designlint.layouts.search import Layout

#: Layouts of other degrees that are proposed for one job, the fastest first.
MOST = 6
#: Words that say what is kept on a GPU, not how the job is split.
KEPT = ("expert_tensor", "micro_batch", "zero_stage", "recompute", "sequence_parallel")
#: What a layout means that does not say it.
SILENT = {"virtual_stages": 1, "context": 1, "expert": 1, "sequence_parallel": False}
FASTEST = "Of all layouts that fit, it is predicted to be the fastest."
FASTER = "It is predicted to be faster than others that fit."
LOCAL = "It is predicted to be the fastest of the layouts whose groups span the fewest scale-up domains."
ROOM_OPEN = "It is predicted to be the fastest of the layouts whose known memory fits; their total need is not known."
NEAREST = "Of the layouts that fit as far as is known, it changes the least; step time is not known."


class LayoutProposal(NamedTuple):
    """A layout: its title, why it is proposed, and operation, subject, word and value of each change."""

    title: str
    because: str
    wanted: list[tuple[str, Any, str, str]]


def proposals(job: Subject, design: Design) -> Iterator[LayoutProposal]:
    """Layouts for a job, the fastest first; where no time is known, those that change least."""
    found = jobs.of(design, job)
    if found is None:
        return
    timed = [(one.words, one.cost.step, because, True) for one, because in _rank_by_time(found)]
    loose = [
        (one.words, one.step, NEAREST if one.step is None else ROOM_OPEN, one.memory is not None) for one in found.loose
    ]
    yield from (made for one in [*timed, *loose] if (made := proposal(found, *one)).wanted)


def _rank_by_time(found: LayoutComparison) -> Iterator[tuple[Layout, str]]:
    """The fastest layouts of other degrees; behind the first the fastest of those whose groups reach fewest scale-up domains."""
    domain = fact(found.job, "scale_up_domain") or 1
    fastest = of_degrees(found.layouts, MOST)
    if not fastest:
        return
    spans = [domains_spanned(one.words, domain) for one in found.layouts]
    local = found.layouts[spans.index(min(spans))]
    yield fastest[0], FASTEST
    if local is not fastest[0]:
        yield local, LOCAL
    yield from ((one, FASTER) for one in fastest[1:] if one is not local)


def proposal(
    found: LayoutComparison, words: dict[str, Any], step: float | None, because: str = FASTEST, whole: bool = True
) -> LayoutProposal:
    """
    One layout in place of the stated one.

    Args:
        whole: whether its memory is known, which rests on all of its words.
    """
    before = "" if found.stated is None else f", not {found.stated.cost.step:.3g} s"
    takes = "" if step is None else f" ({step:.3g} s per step predicted{before})"
    nearest = because == NEAREST and not whole
    title = f"Split {found.job.name} as planned: {short(words, kept=not nearest)}{takes}"
    return LayoutProposal(title, because, _wanted_words(found.job, words, nearest=nearest))


def _wanted_words(job: Subject, words: dict[str, Any], *, nearest: bool) -> list[tuple[str, Any, str, str]]:
    """
    What has to be written; what goes without saying is left out, and what would contradict it is taken out.

    Args:
        nearest: the design is changed as little as can be: what is kept on a GPU is written only where it is stated.
    """
    split, now = job.facts["parallelism"], jobs.stated_layout(job)
    wanted = [
        ("set", split, word, spell_value(value))
        for word, value in words.items()
        if value is not None and value != now.get(word) and not _goes_without(split, word, value)
        if not (nearest and word in KEPT and fact(split, word) is None)
    ]
    gone = [word for word in ENDS if words[word] is None and isinstance(split, Subject) and word in split.keys]
    return wanted + [("remove", split, word, "") for word in gone]


def _goes_without(split: object, word: str, value: object) -> bool:
    """Whether a layout that does not state a word means this value of it."""
    return fact(split, word) is None and (word == "data" or SILENT.get(word) == value)
