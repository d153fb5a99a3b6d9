"""A rule asked in the way that is its own: of each subject, as a query, or of every number of the design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.judging.judgement import answer_query, judge_subjects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.graph.asking import AskedGraph
    from designlint.graph.subjects import Graph, Subject
    from designlint.judging.judgement import Judgement
    from designlint.rules.rule import CompiledRule


def judge(rule: CompiledRule, asked: AskedGraph) -> list[Judgement]:
    """The answers of a rule, in the order of the design."""
    if rule.sweep:
        from designlint.judging import sweeps

        return sweeps.judge(rule, asked)
    subjects = asked.graph.by_class.get(rule.about)
    if not subjects:
        return []
    if rule.condition is None:
        return answer_query(rule, asked)
    return judge_subjects(rule, rule.condition, subjects, asked.graph)


def judge_again(rule: CompiledRule, subject: Subject, graph: Graph) -> Iterable[Judgement]:
    """The answers about one subject of a rule that is no query."""
    if rule.condition is not None:
        return judge_subjects(rule, rule.condition, (subject,), graph)
    from designlint.judging import sweeps

    return sweeps.judge_subject(rule, subject, graph)
