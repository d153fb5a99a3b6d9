"""Text of a design inside Markdown and HTML: shown as it is, never as markup, a link or a mention of a person."""

from __future__ import annotations

import re

from designlint.reporters.shared.terminal import printable, shorten

#: Letters that mean something to Markdown, to HTML or to what services add to them, the last ones where a text begins.
SPECIAL = re.compile(
    r"[&<>`*~\[\]#|\\$@]|(?<![^\W_])_|_(?![^\W_])|[!%](?=\w)|:(?=//)|(?<=www)\.|\A[-+=]|\A\d(?=\d*[.)])", re.IGNORECASE
)
#: In front of a word a service takes these for a call to a person, an issue or an address: a space of no width parts them.
CALLING = frozenset("@#!&%$~:.")


def inline_text(text: str, most: int = 1000) -> str:
    """A text as one line that may stand anywhere, its words in backquotes set as code."""
    parts = shorten(printable(text).strip(), most).split("`")
    if len(parts) % 2 == 0:
        return _plain("`".join(parts))
    return "".join(
        _plain(part) if at % 2 == 0 else f"<code>{_plain(part)}</code>" for at, part in enumerate(parts) if part
    )


def code(text: str, most: int = 1000) -> str:
    """A text as one line of code."""
    return f"<code>{_plain(shorten(printable(text), most))}</code>"


def fold_details(title: str, body: str) -> str:
    """Markdown that is shown when its title is clicked."""
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _plain(text: str) -> str:
    return SPECIAL.sub(_character_reference, text)


def _character_reference(found: re.Match[str]) -> str:
    """A letter by its number, which reads the same and means nothing."""
    follows = found.string[found.end() : found.end() + 1]
    parted = found[0] in CALLING and (follows.isalnum() or follows == "/")
    return f"&#{ord(found[0])};{'&#8203;' if parted else ''}"
