"""Figures: true to the facts, whole, escaped, drawn or left out with the reason."""

from __future__ import annotations

import re
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from designlint import figures
from designlint.configuration import Policy
from designlint.figures.shared.canvas import WIDTH
from designlint.figures.shared.figure import Figure, Omission
from designlint.figures.shared.style import COLORS, PARTS, SIZES
from designlint.figures.shared.text import width
from designlint.linting import pipeline
from designlint.reading import read_bytes
from tests.running import ROOT, designlint

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = sorted(file.parent.name for file in (ROOT / "examples").glob("*/design.yaml"))
HAWK = "examples/hawk-4096/design.yaml"


def drawn(text: str | bytes, name: str = "design.yaml") -> list[Figure | Omission]:
    """Everything that is drawn of a design, and what is left out."""
    document = read_bytes(text if isinstance(text, bytes) else text.encode(), name)
    result = pipeline.lint(document, Policy().engine(str(ROOT / HAWK)), repair=False, margins=True)
    return [one for kind in figures.kinds() for one in figures.draw_figures(kind, result.design, result.report())]


def of_example(name: str) -> list[Figure]:
    """The figures of a shipped design."""
    found = drawn((ROOT / "examples" / name / "design.yaml").read_bytes(), name)
    return [one for one in found if isinstance(one, Figure)]


def words(one: Figure) -> list[str]:
    """The texts of a figure, as a reader sees them."""
    return [text.text or "" for text in ElementTree.fromstring(one.svg).iter(f"{SVG}text")]


def sound(one: Figure) -> None:
    """Well-formed, named for those who do not see it, naming nothing outside, and no text beyond its edge."""
    root = ElementTree.fromstring(one.svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    assert (wide, high) == (WIDTH, float(root.attrib["height"]))
    title, description = root.attrib["aria-labelledby"], root.attrib["aria-describedby"]
    named = {each.get("id"): each.text for each in root if each.get("id")}
    assert named == {title: one.title, description: one.alternative}
    assert one.title
    assert one.alternative
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "rect", "line", "path", "text"}
    attributes = {name for each in root.iter() for name in each.attrib}
    assert not [name for name in attributes if name.startswith("on") or name in ("style", "href")]
    assert "url(" not in one.svg
    assert "@import" not in one.svg
    boxes = [box(each) for each in root.iter(f"{SVG}text")]
    for each in boxes:
        assert each.left >= -0.5, each.text
        assert each.right <= WIDTH + 0.5, each.text
        assert each.size >= 9
        assert 0 < each.top < each.bottom <= high, each.text
    assert [pair for pair in combinations(boxes, 2) if overlap(*pair)] == []


class Box(NamedTuple):
    """Where a text stands, by the widths that the figures reckon with."""

    text: str
    size: float
    left: float
    right: float
    top: float
    bottom: float


def box(text: ElementTree.Element) -> Box:
    """The room that a text takes: capitals and what goes below its line."""
    look = text.attrib["class"].replace("dl-", "").split()
    named = next(one[2:] for one in look if one.startswith("t-"))
    size, x, y = SIZES[named], float(text.attrib["x"]), float(text.attrib["y"])
    long = width(text.text or "", named, bold="b" in look)
    left = x - (long if "e" in look else long / 2 if "m" in look else 0)
    return Box(text.text or "", size, left, left + long, y - 0.73 * size, y + 0.2 * size)


def overlap(one: Box, other: Box) -> bool:
    """Whether two texts run into one another."""
    across = min(one.right, other.right) - max(one.left, other.left)
    return across > 0.5 and min(one.bottom, other.bottom) - max(one.top, other.top) > 0.5


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_figure_of_every_example_is_sound(name: str) -> None:
    for one in of_example(name):
        sound(one)


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_words_of_an_example_are_cut(name: str) -> None:
    assert [text for one in of_example(name) for text in words(one) if text.endswith("…") and text != "…"] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_words_tell_every_number_of_an_example(name: str) -> None:
    """But those on an axis and in cells, which are places, and of bars that are cut."""
    for one in of_example(name):
        shown = [text for text in words(one) if not text.isdigit() and text[0] not in "<>"]
        if one.name.startswith("checkpoint"):
            shown = [text for text in shown if " lost" in text]
        told = {*re.findall(r"\d[\d.]*\d|\d", one.alternative)}
        ones = {number for text in shown for number in re.findall(r"\d[\d.]*\d|\d", text)}
        assert {number for number in ones - told if len(number) > 1} == set(), one.name


def test_the_examples_show_every_kind() -> None:
    shown = {one.name.partition("-")[0] for name in EXAMPLES for one in of_example(name)}
    assert shown == set(figures.kinds())


def test_figures_of_several_designs_share_no_id_and_one_style() -> None:
    every = [one for name in EXAMPLES for one in of_example(name)]
    found = [text for one in every for text in re.findall(r' id="([^"]+)"', one.svg)]
    assert len(found) == len(set(found)) == 2 * len(every)
    assert len({text for one in every for text in re.findall(r"<style>(.*?)</style>", one.svg)}) == 1


def test_names_are_plain_and_unique_in_a_design() -> None:
    names = [one.name for one in of_example("superpod-4su")]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9-]+", one) for one in names)


@pytest.mark.parametrize(
    ("figure", "facts"),
    [
        ("memory", "weight_memory gradient_memory optimizer_memory activation_memory memory_per_gpu gpu_memory"),
        (
            "step",
            "compute_time bubble_time tensor_time pipeline_time data_time step_time exposable_time communication_time",
        ),
        ("power", "server_power it_power facility_power utility_power"),
        ("fabric-compute", "leaf_spine_cables cables switch_count ports_taken leaf_capacity"),
        ("checkpoint-pretrain", "mtbf"),
    ],
)
def test_numbers_are_the_facts_that_why_shows(figure: str, facts: str) -> None:
    shown = " ".join(words(next(one for one in of_example("hawk-4096") if one.name == figure)))
    for fact in facts.split():
        told = designlint("why", HAWK, fact).out.splitlines()
        values = [line.partition(" = ")[2].partition("   ")[0] for line in told if f"/{fact} = " in line]
        assert any(value in shown for value in values), (fact, values, shown)


def test_margins_are_told_in_words_that_need_no_rule_file() -> None:
    shown = words(next(one for one in of_example("hawk-4096") if one.name == "margins"))
    assert "hpl fraction of peak 0.82 ≥ limit 0.8" in shown
    assert "least facility power 8.486 MW ≤ utility power 6 MW" in shown
    assert not any("model/exact-parameters-differ" in one for one in shown), "a doubt of a number is no limit"
    assert any("compute/deadline-missed" in one for one in shown)


def placed(split: str, pool: str = "model: dgx-h100, count: 24") -> Figure:
    """Where the groups of a split stand."""
    text = f"designlint: 1\nnodes: [{{name: a, {pool}}}]\nworkloads: [{{name: w, parallelism: {{{split}}}}}]\n"
    figure = next(one for one in drawn(text) if one.name == "placement-w")
    assert isinstance(figure, Figure)
    sound(figure)
    return figure


def test_the_worst_group_is_shown_where_it_leaves_a_server() -> None:
    shown = words(placed("tensor: 6, pipeline: 2"))
    assert {"tensor 6", "6 ranks in 1 server", "tensor, worst case", "6 ranks in 2 servers", "that of GPU 7"} <= {
        *shown
    }
    assert "tensor, worst case" not in words(placed("tensor: 4, pipeline: 2"))


def test_groups_that_do_not_tile_a_rack_leave_some_of_it_to_spares() -> None:
    rack = placed("expert: 64, pipeline: 4", "gpu: gb200, gpus: 4, scale_up_domain: 72, count: 128")
    assert any("72 GPUs, 64 of them taken" in one for one in words(rack))
    assert "64 ranks in 1 domain" in words(rack)
    assert "expert, at worst" not in words(rack)
    assert len(rack.svg) < 25_000


def test_power_tells_losses_apart_and_what_carries_the_load() -> None:
    text = (ROOT / "examples/gb200-nvl72/design.yaml").read_text()
    shown = words(next(one for one in of_example("gb200-nvl72") if one.name == "power"))
    assert {"losses", "62.69 kW", "cooling and building", "1.5 MW (4 × 500 kW, N+1) for 1.429 MW"} <= {*shown}
    for old, new in (
        ("efficiency: 95 %", "efficiency: 80 %"),
        ("modules: 4,", "modules: 2,"),
        ("rating: 900 kW, ", ""),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    figure = next(one for one in drawn(text) if one.name == "power")
    assert isinstance(figure, Figure)
    sound(figure)
    assert "losses" not in words(figure)
    assert "The stated losses, cooling and building amount to a PUE of 1.25" in figure.alternative
    assert "UPS: 500 kW (2 × 500 kW, N+1) for 1.099 MW, not enough" in figure.alternative
    assert "generators not compared: missing facility/generators/rating" in figure.alternative


def test_a_step_tells_what_has_to_be_hidden_and_what_that_asks_of_kernels() -> None:
    thin = (ROOT / HAWK).read_text().replace("speed: 400 Gbit/s", "speed: 25 Gbit/s")
    figure = next(one for one in drawn(thin) if one.name == "step")
    assert isinstance(figure, Figure)
    sound(figure)
    shown = " ".join(words(figure))
    assert re.search(r"at least [\d.]+ \w+ of [\d.]+ \w+ of communication must be hidden", shown)
    assert "over the budget" in shown
    assert "above the peak if none is" in figure.alternative
    assert "links at line rate" in figure.alternative


def test_parts_of_memory_are_told_in_the_unit_of_the_capacity() -> None:
    shown = words(next(one for one in of_example("superpod-4su") if one.name == "memory"))
    assert not [one for one in shown if "iB" in one]


def test_what_is_lost_at_the_chosen_interval_is_what_goodput_leaves() -> None:
    figure = next(one for one in of_example("gb200-nvl72") if one.name == "checkpoint-pretrain")
    goodput = float(designlint("why", "examples/gb200-nvl72/design.yaml", "workloads/pretrain/goodput").out.split()[2])
    lost = re.search(r"chosen 1 h: ([\d.]+) % lost", " ".join(words(figure)))
    assert lost
    assert float(lost[1]) / 100 == pytest.approx(1 - goodput, abs=5e-4)


def test_what_is_unknown_leaves_a_figure_out_with_the_reason() -> None:
    left = {one.name: one.reason for one in drawn("designlint: 1\n") if isinstance(one, Omission)}
    assert {name.partition("-")[0] for name in left} == set(figures.kinds())
    assert all(left.values())


def luminance(color: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast of two colours as WCAG defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1])
def test_colours_have_contrast_on_light_and_dark(theme: int) -> None:
    for name in set(COLORS) - {"paper", "panel", "grid", "edge"}:
        assert contrast(COLORS[name][theme], COLORS["paper"][theme]) >= 4.5, name
    assert contrast(COLORS["edge"][theme], COLORS["paper"][theme]) >= 3
    assert contrast(COLORS["ink"][theme], COLORS["panel"][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1])
def test_words_on_flows_have_contrast(theme: int) -> None:
    """Flows are drawn in a third of their colour, see the style sheet."""
    ink, paper = COLORS["ink"][theme], COLORS["paper"][theme]
    for name in PARTS:
        both = [[int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in (COLORS[name][theme], paper)]
        mixed = "#" + "".join(f"{round(0.35 * flow + 0.65 * ground):02x}" for flow, ground in zip(*both, strict=True))
        assert contrast(ink, mixed) >= 4.5, name
