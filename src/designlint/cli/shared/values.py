"""Values that shells complete: rules, topics, words, catalogue names."""

from __future__ import annotations


def rules() -> list[str]:
    """The ids of all rules."""
    from designlint.configuration import engine

    return list(engine.shipped_engine().rules)


def topics() -> list[str]:
    """The topics of rules."""
    return sorted({one.partition("/")[0] for one in rules()})


def chosen() -> list[str]:
    """What chooses rules: topics and ids."""
    return [*topics(), *rules()]


def words() -> list[str]:
    """The classes of the design language, and the words that a design may state."""
    from designlint.configuration import engine

    classes = engine.shipped_engine().vocabulary.classes
    return [
        *sorted(classes),
        *sorted({name for words in classes.values() for name, one in words.items() if one.written}),
    ]


def answerable_names() -> list[str]:
    """What `why` answers: rules, and words of facts."""
    return [*rules(), *words()]


def profiles() -> list[str]:
    """The shipped profiles of principles."""
    from designlint.report.profile import shipped_profiles

    return shipped_profiles()


def parts() -> list[str]:
    """The names of all catalogue entries."""
    from designlint.configuration import engine

    return sorted({name for entries in engine.shipped_engine().vocabulary.catalog.values() for name in entries})


def models() -> list[str]:
    """The names of published models, in all spellings."""
    return _spellings("Model")


def gpus() -> list[str]:
    """The names of GPUs, in all spellings."""
    return _spellings("Gpu")


def _spellings(kind: str) -> list[str]:
    from designlint.configuration import engine

    return sorted(engine.shipped_engine().vocabulary.aliases.get(kind, {}))
