"""What commands share: exit codes, colour, printing."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from enum import IntEnum, StrEnum


class Exit(IntEnum):
    """What the exit code tells."""

    CLEAN = 0
    FINDINGS = 1
    COULD_NOT_RUN = 2
    BUG = 3
    INTERRUPTED = 130
    CUT_OFF = 141


class ListFormat(StrEnum):
    """How commands other than `check` print lists."""

    TEXT = "text"
    JSON = "json"


class Color(StrEnum):
    """When output is coloured."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


#: What terminals that show links put into the environment.
LINKING = (
    "VTE_VERSION",
    "WT_SESSION",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "WEZTERM_EXECUTABLE",
    "GHOSTTY_RESOURCES_DIR",
)
PROGRAMS = ("iTerm.app", "vscode", "WezTerm", "ghostty", "Hyper")


def linking() -> bool:
    """Whether the terminal shows links (OSC 8), as far as its environment says; always where FORCE_HYPERLINK is set."""
    if os.environ.get("FORCE_HYPERLINK"):
        return True
    known = any(map(os.environ.get, LINKING)) or os.environ.get("TERM_PROGRAM") in PROGRAMS
    return known and _is_terminal(sys.stdout)


def is_colored(stream: object = None, wanted: Color | None = None) -> bool:
    """
    Whether output is coloured: as wanted, else on a terminal.

    Without a wish NO_COLOR switches colour off and FORCE_COLOR switches it on.
    """
    if wanted in (Color.ALWAYS, Color.NEVER):
        return wanted is Color.ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return _is_terminal(stream or sys.stdout) and os.environ.get("TERM") != "dumb"


def _is_terminal(stream: object) -> bool:
    return bool(getattr(stream, "isatty", lambda: False)())


def watch(complaint: str, seconds: float) -> None:
    """End the process where it still runs after so long: a query cannot be interrupted otherwise."""
    from threading import Timer

    def end() -> None:
        fault(complaint)
        os._exit(Exit.COULD_NOT_RUN)

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()


#: Our own colours and links.
STYLES = "\x1b\\[[0-9;]*m|\x1b\\]8;;[\x20-\x7e]*\x1b\\\\"
#: What would steer a terminal or turn the direction of text.
STEERING = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
#: How lines begin that a CI service obeys.
COMMANDS = ("::", "##[")


def harmless(text: str, *, commands: bool = False, styled: bool = False) -> str:
    """
    Text as it may be printed: escaped where it would steer a terminal or, unless `commands` are wanted, a CI service.

    Colours and links stay only in text that is `styled`: whoever styles it escapes what comes from elsewhere.
    """
    if not text.replace(
        "\n", ""
    ).isprintable():  # what steers is never printable; the pattern takes its time to be made
        pattern = f"{STYLES}|{STEERING}" if styled else STEERING
        text = re.sub(pattern, lambda found: found[0] if len(found[0]) > 1 else f"\\u{ord(found[0]):04x}", text)
    if commands or not any(sign in text for sign in COMMANDS):
        return text
    return "\n".join("\\" + line if line.lstrip().startswith(COMMANDS) else line for line in text.split("\n"))


def complain(text: str, end: str = "\n", *, styled: bool = False) -> None:
    """Say something beside the answer, on standard error; nowhere where that is closed."""
    if sys.stderr is None:
        return
    with suppress(OSError, ValueError):
        sys.stderr.write(harmless(text, styled=styled).encode("utf-8", "backslashreplace").decode("utf-8") + end)
        sys.stderr.flush()


def fault(error: object) -> None:
    """Say on one line why a run ends."""
    complain(f"designlint: {error}".replace("\r", "\\r").replace("\n", "\\n"))


def print_text(text: str, *, commands: bool = False, styled: bool = False) -> None:
    """Print text as UTF-8, whatever the locale; what would steer a terminal is escaped. Raises OSError."""
    write(harmless(text if text.endswith("\n") else text + "\n", commands=commands, styled=styled))


def write(text: str) -> None:
    """Print text to standard output as it is, all of it; what UTF-8 cannot hold is escaped. Raises OSError."""
    stream = sys.stdout
    if stream is None:
        raise OSError("standard output is closed")
    stream.flush()
    raw = getattr(stream, "buffer", None)
    if raw is None:
        stream.write(text)
        return
    waiting = memoryview(text.encode("utf-8", "backslashreplace"))
    while waiting:  # an unbuffered stream may take a part
        waiting = waiting[raw.write(waiting) or 0 :]
    raw.flush()
