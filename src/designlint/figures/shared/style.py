"""The colours and type of every figure: light, dark and print, each colour to be overridden by the page around it."""

from __future__ import annotations

#: Colours on a light ground and on a dark one. Whatever carries meaning or text has a contrast of 4.5 to the ground (WCAG
#: 2.2 AA), so that text of the ground's colour can stand on it, too. A page sets `--figure-ink` to use its own.
COLORS = {
    "paper": ("#ffffff", "#14171b"),
    "panel": ("#f1f3f6", "#20252b"),
    "ink": ("#1b1f24", "#e6e8eb"),
    "dim": ("#565f6b", "#a6afba"),
    "edge": ("#6b7480", "#8b95a1"),
    "grid": ("#d5d9df", "#3a414b"),
    "good": ("#11692f", "#7fd49a"),
    "bad": ("#b3261e", "#ff9e94"),
    "c1": ("#0b57a4", "#8abfff"),
    "c2": ("#0a6e69", "#5fcfc5"),
    "c3": ("#85540a", "#e7b65c"),
    "c4": ("#75399a", "#d0aef0"),
    "c5": ("#a32a63", "#ff9dc6"),
    "c6": ("#4f5a67", "#aab4c0"),
    "c7": ("#5a6612", "#c3cf6b"),
}
#: Colours by which parts of a whole are told, besides their numbers and places.
PARTS = ("c1", "c2", "c3", "c4", "c5", "c6", "c7")
FONT = 'system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,"Liberation Sans","DejaVu Sans",sans-serif'
#: Sizes of type, in units of which a page of 17 cm is 680 wide.
SIZES = {"head": 13.0, "text": 11.5, "small": 10.5, "tiny": 9.0}


def _colors(at: int) -> str:
    return "".join(f"--dl-{name}:var(--figure-{name},{both[at]});" for name, both in COLORS.items())


def sheet() -> str:
    """The style sheet that every figure carries, the same in all of them."""
    fills = "".join(f".dl-{name}{{fill:var(--dl-{name})}}" for name in COLORS)
    strokes = "".join(f".dl-s-{name}{{stroke:var(--dl-{name});fill:none}}" for name in COLORS)
    type_ = "".join(f".dl-t-{name}{{font-size:{size:g}px}}" for name, size in SIZES.items())
    return (
        f".dl-figure{{{_colors(0)}font-family:var(--figure-font,{FONT});max-width:100%;height:auto;overflow:visible}}"
        f"@media (prefers-color-scheme:dark){{.dl-figure{{{_colors(1)}}}}}"
        f"@media print{{.dl-figure{{{_colors(0)}print-color-adjust:exact;-webkit-print-color-adjust:exact}}}}"
        f"{fills}{strokes}{type_}.dl-b{{font-weight:600}}.dl-e{{text-anchor:end}}.dl-m{{text-anchor:middle}}"
        ".dl-dash{stroke-dasharray:4 3}.dl-thick{stroke-width:2}.dl-thin{stroke-width:.75}.dl-faint{opacity:.35}"
    )
