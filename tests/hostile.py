"""Text that a design should not be able to turn against who reads a report on it, and reports full of it."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from designlint.findings.model import Acceptance, Change, Finding, Fix, Margin, Outcome, Quantity, Severity, Verdict
from designlint.findings.notices import Adjustment, Avoidance, Standard
from designlint.findings.report import Report
from designlint.reading.discovery import Unjudged
from designlint.reading.location import Location, Replacement

if TYPE_CHECKING:
    from collections.abc import Sequence

TEXTS = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "](https://evil.example) [click](javascript:alert(1)) ![x](https://evil.example/x.png) <https://evil.example>",
    "| a | b |\n| --- | --- |\n# heading\n- list\n> quote\n```\ncode\n```\n    code\n---\n",
    "*em* **strong** _em_ __strong__ ~~gone~~ `code` ``` [ref]: https://evil.example &lt; &#60; \\*",
    "x\n::error::injected\r\n::set-output name=a::b %0A::warning::c ##[error]d ::stop-commands::e",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "＝1",
    "@everyone @org/team #1 !2 &3 $4 %5 ~label org/repo#6 GH-7 a@evil.example www.evil.example ftp://evil.example :+1:",
    "\u202egnp.exe\u202c \u200f\u2066\u2069 \u061c",
    "\x00\x01\x07\x08\x0b\x1b[31mred\x1b]8;;https://evil.example\x07\x7f\x80\x9b",
    "\u2028 \u2029 \x85 \ufeff \ufffe \uffff \U0001fffe",
    "]]> <!-- --> <?xml?> <![CDATA[ &amp; ' \"",
    "{0} {1} {2} %s %(a)s ${HOME} $(id) `id`",
    '"] . <urn:a> <urn:b> "c" . # \\',
    "../../../etc/passwd",
    "日本語 ünïcödé 👩‍👩‍👧‍👦 e\u0301",
    "a" * 10_000,
    "|" * 10_000,
)


def design() -> bytes:
    """A design with a fault for each text, which its message tells; as YAML that every reader takes."""
    words = list(TEXTS)
    workloads = [{"name": f"{at}{word}", "parallelism": {"tensor": 16}} for at, word in enumerate(words[:-1])]
    misspelt = {word: word for word in words if len(word) < 500}  # a key of YAML is short
    whole = {
        "designlint": 1,
        "name": words[0],
        "nodes": [{"name": "train", "model": "dgx-h100", "count": 4}],
        "workloads": workloads,
        "software": {"cuda": words[1], "container_runtime": words[2]},
        "storage": [{"name": word, "kind": word} for word in words],
        "scheduler": misspelt,
    }
    return "\n".join(f"{key}: {_yaml(value)}" for key, value in whole.items()).encode()


def _yaml(value: Any) -> str:
    """A value in brackets and double quotes, with an escape for each letter that YAML does not take as it is."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_yaml(key)}: {_yaml(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_yaml, value))}]"
    if not isinstance(value, str):
        return str(value)
    letters = (one if one.isprintable() and one not in '"\\' else f"\\U{ord(one):08x}" for one in value)
    return f'"{"".join(letters)}"'


def report() -> Report:
    """A report with the texts in every field that holds one, the strangest that no design could bring too."""
    texts = cycle((*TEXTS, "\ud800 alone"))
    files = tuple(
        f"dir {number}/{name}" for number, name in enumerate(("a b%.yaml", "#?&=:;,'\".yaml", "ü\u202e\n.yaml"))
    )
    findings = [
        finding(text, files[at % 3], Severity.ERROR if at % 2 else Severity.INFO) for at, text in enumerate(TEXTS)
    ]
    accepted = [
        finding(
            text,
            files[at % 3],
            Severity.WARNING,
            Acceptance(how, text, next(texts), next(texts), place(files[at // 3 % 3]), text),
        )
        for at, (text, how) in enumerate(zip(TEXTS, cycle(("waiver", "baseline", "revision")), strict=False))
    ]
    return Report(
        files=files,
        findings=findings,
        outcomes=[
            Outcome(rule(at), files[at % 3], next(texts), verdict, (next(texts), next(texts)))
            for at, verdict in zip(range(40), cycle(Verdict), strict=False)
        ],
        avoid=[Avoidance(rule(at), files[at % 3], next(texts), next(texts)) for at in range(len(TEXTS))],
        error=next(texts),
        accepted=accepted,
        texts={file: "\n".join(("some text", "of a file")) for file in files},
        standards={
            rule(at): Standard(next(texts), Severity.ERROR, next(texts), next(texts), (text,), (text,))
            for at, text in enumerate(TEXTS[:5])
        },
        settings=settings(files),
        unjudged=[Unjudged(file, next(texts)) for file in files],
        untried=3,
    )


def settings(files: Sequence[str]) -> list[Adjustment]:
    """What was changed about the judgement, of every kind, the last one told twice."""
    kinds = cycle(("severity", "limit", "replaced", "fail_on", "ignored", "not selected"))
    told = [
        Adjustment(what, (rule(at),), text, text, f"{files[at % 3]}:{at + 1}", (files[at % 3],))
        for at, (text, what) in enumerate(zip(TEXTS, kinds, strict=False))
    ]
    return [*told, told[-1]]


def finding(text: str, file: str, severity: Severity, accepted: Acceptance | None = None) -> Finding:
    """A finding that says the text wherever it says anything."""
    quantity = Quantity(text, text, text, text, place(file, 2))
    return Finding(
        rule=rule(len(text)),
        severity=severity,
        message=text,
        location=place(file),
        subject=text,
        remedy=text,
        values={"word": quantity, text: replace(quantity, location=place(file))},
        limits={text: quantity},
        principles=(text,),
        fixes=[Fix(text, "unsafe", (Change(text, text),), text, True, 1, 0, 0, (Replacement(place(file), text),))],
        constraint=text,
        margin=Margin(text, text, "<=", 2.0, 1.0, text, -1.0, text, text),
        accepted=accepted,
    )


def place(file: str, line: int = 1) -> Location:
    """Some letters of a line."""
    return Location(file, line, 1, line, 4)


def rule(number: int) -> str:
    """The id of a rule."""
    return f"topic/fault-{number % 7}"
