"""XML files as elements with places; entities are not expanded, nothing outside the file is looked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.parsers import expat
from xml.sax.saxutils import unescape

from msgspec import Struct, field

from designlint.importers.base import How, ImportRefusal, Source, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What an XML file starts with: the declaration, comments, and its first tag.
ROOT = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*(?:<!DOCTYPE[^>\[]*>\s*)?<([A-Za-z][\w.-]*)", re.DOTALL)
#: Elements that are read, and levels: a server's topology has some thousand, 20 deep.
MOST, DEEPEST = 200_000, 200


class Element(Struct):
    """One element: tag, attributes, children, and the stretch of its opening tag."""

    tag: str
    attributes: dict[str, str]
    source: Source
    start: int
    end: int
    children: list[Element] = field(default_factory=list)

    def get(self, name: str, how: How = How.STATED, note: str = "") -> Value | None:
        """An attribute that says something, where the element stands."""
        text = self.attributes.get(name, "")
        return self.source.value(text, self.start, self.end, how, note) if text else None

    def content(self, how: How = How.STATED) -> Value | None:
        """The text right after the opening tag, where it says something."""
        close = self.source.text.find("<", self.end)
        text = self.source.text[self.end : close] if close > self.end else ""
        bare = text.strip()
        start = self.end + len(text) - len(text.lstrip())
        return self.source.value(unescape(bare), start, start + len(bare), how) if bare else None

    def value(self, text: object, note: str = "", how: How = How.DERIVED) -> Value:
        """What follows from this element."""
        return self.source.value(text, self.start, self.end, how, note)

    def walk(self) -> Iterator[Element]:
        """The element and all below it, in the order of the file."""
        waiting = [self]
        while waiting:
            here = waiting.pop()
            yield here
            waiting += reversed(here.children)

    def all(self, *tags: str) -> list[Element]:
        """All elements of these tags."""
        return [one for one in self.walk() if one.tag in tags]


def first_tag(source: Source) -> str:
    """The tag of the root; empty where the file is no XML."""
    found = ROOT.match(source.text[:20_000])
    return found[1] if found else ""


def root(source: Source) -> Element:
    """The root element. Raises: Refusal."""
    if "xml" not in source.cache:
        source.cache["xml"] = _Reader(source).read_root()
    found: Element = source.cache["xml"]
    return found


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.data = source.text.encode("utf-8", "replace")
        self.plain = len(self.data) == len(source.text)
        self.stack: list[Element] = []
        self.top: Element | None = None
        self.count = 0
        source.open_lines = False

    def read_root(self) -> Element:
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._open
        parser.EndElementHandler = lambda tag: self.stack.pop()
        parser.EntityDeclHandler = self._entity
        self.parser = parser
        try:
            parser.Parse(self.data, True)
        except expat.ExpatError as error:
            raise ImportRefusal(f"it cannot be read as XML: line {error.lineno}", error.lineno) from None
        if self.top is None:
            raise ImportRefusal("it holds no element")
        return self.top

    def _entity(self, *_: object) -> None:
        raise ImportRefusal("it declares entities, which are not expanded", self.parser.CurrentLineNumber)

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MOST or len(self.stack) > DEEPEST:
            raise ImportRefusal("it has too many elements, or they nest too deep", self.parser.CurrentLineNumber)
        at = self.parser.CurrentByteIndex
        start = at if self.plain else len(self.data[:at].decode("utf-8", "replace"))
        end = self.source.text.find(">", start) + 1
        element = Element(tag, attributes, self.source, start, end or start + 1)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.top = element
        self.stack.append(element)
