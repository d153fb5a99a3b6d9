"""Reads foreign files: recognises each, lets those of one format be read together, and joins what the formats give."""

from __future__ import annotations

import gc
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field

from designlint.importers import joining, registry, templates, trees
from designlint.importers.base import Clash, Context, Fate, ImportRefusal, Source, Value
from designlint.importers.notations import structured
from designlint.reading.bases import boundary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from designlint.importers.base import Account, Fact, Fragment, UnknownWord, Words
    from designlint.reading import Node

#: Bytes of one file that are read: a dump of 131,072 GPUs has some 60 MB.
MOST_BYTES = 128 * 1024 * 1024
#: Characters from which on a read is large.
LARGE = 1_000_000
#: Files that one import reads besides those it was given.
MOST_OPENED = 64


class Refused(NamedTuple):
    """A file that is not read: why, at which line, and what to do."""

    file: str
    line: int
    why: str
    remedy: str


class Imported(Struct):
    """
    What foreign files say.

    Attributes:
        words: the part of a design, each value with its place, origin and certainty.
        formats: the format of each file that was read.
        sources: the files as read, those that they include after them.
        unknowns: what they leave open, with the command that would find out.
        clashes: where they contradict one another or themselves.
        facts: what they state that the design language has no word for.
        asked: the settings that something in them asked for.
    """

    words: Words = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    unknowns: list[UnknownWord] = field(default_factory=list)
    clashes: list[Clash] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)

    def root(self) -> Node | None:
        """The part of a design as a tree; None where no file was read."""
        return trees.tree(self.words, self.sources[0]) if self.sources else None

    def accounts(self) -> list[Account]:
        """The fate of the lines of each file."""
        return [one.account() for one in self.sources]


def import_files(
    paths: Iterable[Path | str],
    *,
    format: str | None = None,
    settings: Mapping[str, str] | None = None,
    catalogued: Callable[[str, str], str | None] | None = None,
    within: Path | None = None,
    shown: Mapping[Path, str] | None = None,
) -> Imported:
    """
    What these files say together. A file that cannot be read is among `refused`; nothing is raised but for a format that is none.

    Args:
        format: the format of all of them, instead of what their content looks like.
        settings: variables and words that are given from outside, such as `nodes` of a job.
        catalogued: the name of a catalogue entry by class and spelling; nothing is looked up without it.
        within: the folder that included files must lie in; that of the repository when left out.
        shown: how messages name files; as given when left out.
    """
    found = Imported()
    sources: list[Source] = []
    for path in paths:
        name = (shown or {}).get(Path(path), str(path))
        try:
            sources.append(open_file(Path(path), name))
        except ImportRefusal as error:
            found.refused.append(Refused(name, error.line, error.why, error.remedy))
    with _without_collection(sources):
        return _read(sources, found, format, settings or {}, catalogued or _no_catalogue, within)


@contextmanager
def _without_collection(sources: Iterable[Source]) -> Iterator[None]:
    """
    Collects no garbage while much is read: millions of values and no cycles, which would be walked again and again.

    What was read is not walked afterwards either; it goes when nobody has it any longer.
    """
    large = gc.isenabled() and sum(len(one.text) for one in sources) > LARGE
    if large:
        gc.unfreeze()
        gc.collect()
        gc.disable()
    try:
        yield
    finally:
        if large:
            gc.freeze()
            gc.enable()


def read_text(
    file: str, text: str, path: Path, *, format: str | None = None, settings: Mapping[str, str] | None = None,
    catalogued: Callable[[str, str], str | None] | None = None, within: Path | None = None,
) -> Imported:  # fmt: skip
    """The same for a text that is in memory, by the name of its file."""
    return _read([Source(file, text, path)], Imported(), format, settings or {}, catalogued or _no_catalogue, within)


#: Files that were looked at, each with its state then, until they are read.
_seen: dict[Path, tuple[tuple[int, ...], Source]] = {}
#: Files that are kept so at most, and characters of one.
MOST_SEEN, LONGEST_SEEN = 4000, 64 * 1024


def open_source(path: Path, file: str) -> Source:
    """A file as text, kept with what is found out about it until it is read. Raises: Refusal as `open_file` does."""
    state = _state(path)
    source = open_file(path, file)
    if len(source.text) <= LONGEST_SEEN and len(_seen) < MOST_SEEN:
        _seen[path] = state, source
    return source


def _state(path: Path) -> tuple[int, ...]:
    """What changes when somebody writes a file; nothing is equal to it where that cannot be told."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


def open_file(path: Path, file: str) -> Source:
    """A file as text. Raises: Refusal where there is none, it is too large, or it is no text."""
    state, known = _seen.pop(path, ((), None))
    if known is not None and known.file == file and state == _state(path) != ():
        known.open_lines, known.keyed, known.marks = True, False, {}
        return known
    try:
        if not path.is_file():
            raise ImportRefusal("there is no such file" if not path.exists() else "it is not a file")
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise ImportRefusal(f"it cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise ImportRefusal("its name is not a path") from None
    if len(data) > MOST_BYTES:
        raise ImportRefusal(f"it is larger than {MOST_BYTES // 1024**2} MiB")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ImportRefusal(
            "it is UTF-16 text, as PowerShell writes it", 1, "Convert it with `iconv -f utf-16 -t utf-8`."
        )
    if b"\0" in data[:4096]:
        raise ImportRefusal("it is not text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return Source(file, text, path.resolve())


def _no_catalogue(cls: str, name: str) -> str | None:
    return None


def _read(
    sources: list[Source], found: Imported, format: str | None, settings: Mapping[str, str],
    catalogued: Callable[[str, str], str | None], within: Path | None,
) -> Imported:  # fmt: skip
    models: dict[str, list[object]] = {}
    others = Opener(within)
    context = Context(Path(), NotedSettings(settings, found.asked), catalogued, others.open)
    for source in sources:
        try:
            templates.refuse_templates(source)
            name = format or registry.recognise_format(source)
            models.setdefault(name, []).append(registry.model(name, source, context))
        except ImportRefusal as error:
            found.refused.append(Refused(source.file, error.line, error.why, error.remedy))
            continue
        found.formats[source.file] = name
        found.sources.append(source)
    found.sources += [one for one in others.found.values() if one.path not in {known.path for known in sources}]
    fragments = _fragments(models, found, context)
    for one in others.found.values():  # read while words were made of the others: what it leaves open, they account for
        if one.path not in {known.path for known in (*sources, *found.sources)}:
            one.open_lines = False
            found.sources.append(one)
    for one in found.sources:
        if one.keyed:
            structured.close(one)
    joined = joining.join_fragments(fragments)
    joining.replace_names(joined, catalogued)
    if not all(one.counted for one in found.sources):
        for value in (*trees.values(joined.words), *(fact.value for fact in joined.facts)):
            if value.end > value.start and not value.source.counted:
                value.source.mark(value.start, value.end, Fate.UNDERSTOOD)
    found.words, found.unknowns, found.facts = joined.words, joined.unknowns, joined.facts
    found.clashes = [*joined.clashes, *(clash for one in found.sources for clash in _twice(one))]
    return found


def _twice(source: Source) -> Iterator[Clash]:
    """Keys of a structured file that stand twice with different values."""
    for key, start, end, line in source.cache.get("twice", []):
        yield Clash("import/key-twice", Value(key, source, start, end), {"name": key[:60], "line": line})


def _fragments(models: Mapping[str, list[object]], found: Imported, context: Context) -> list[Fragment]:
    """What the files of each format say together; files that are refused only then are taken out."""
    fragments = []
    for name in sorted(models):
        try:
            fragments.append(registry.design(name, models[name], context))
        except ImportRefusal as error:
            files = [file for file, kind in found.formats.items() if kind == name]
            found.refused.append(Refused(", ".join(files), error.line, error.why, error.remedy))
            found.sources = [one for one in found.sources if one.file not in files]
            for file in files:
                del found.formats[file]
    return fragments


class NotedSettings(dict[str, str]):
    """Settings that note which of them was asked for."""

    def __init__(self, settings: Mapping[str, str], noted: set[str]) -> None:
        super().__init__(settings)
        self.noted = noted

    def __contains__(self, name: object) -> bool:
        there = super().__contains__(name)
        if there:
            self.noted.add(str(name))
        return there

    def get(self, name: str, default: Any = None) -> Any:
        return super().get(name, default) if name in self else default


class Opener:
    """Opens the files that files name, inside one folder, each once."""

    def __init__(self, within: Path | None) -> None:
        self.within = within.resolve() if within is not None else None
        self.found: dict[Path, Source] = {}

    def open(self, source: Source, stated: str) -> Source | str:
        """The file that a path in `source` leads to, or why it is not read."""
        inside = self.within or boundary(source.path)
        try:
            path, *others = self._candidate_paths(source, stated, inside)
        except (OSError, ValueError, RuntimeError):
            return "it is not a path"
        if others:
            return f"{len(others) + 1} folders above have it: where the script is started decides"
        if not path.is_relative_to(inside):
            return f"it is outside `{inside.name}`"
        if path not in self.found:
            if len(self.found) >= MOST_OPENED:
                return f"{MOST_OPENED} files were already read"
            try:
                name = os.path.relpath(path, source.path.parent)
                name = os.path.normpath(os.path.join(os.path.dirname(source.file), name))  # noqa: PTH118, PTH120
                self.found[path] = open_file(path, name)
            except ImportRefusal as error:
                return error.why
        return self.found[path]

    @staticmethod
    def _candidate_paths(source: Source, stated: str, inside: Path) -> list[Path]:
        """Where a file may lie that is named: beside the other, else below folders above, where people start their scripts."""
        beside = (source.path.parent / stated).resolve()
        above = [one for one in source.path.parent.parents if one.is_relative_to(inside)]
        found = {path for one in above if (path := (one / stated).resolve()).exists() and path.is_relative_to(inside)}
        return [beside] if beside.exists() or not found else sorted(found)
