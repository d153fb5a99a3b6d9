"""How often a job saves: steps are timed by the measured step, else by the bound of the right side."""

from designlint.derivations.operations import cadence


def test_steps_are_timed_from_both_sides() -> None:
    assert cadence.least_steps_interval(100, None, 6.0, 5.0) == 600
    assert cadence.least_steps_interval(100, None, None, 5.0) == 500
    assert cadence.most_steps_interval(100, None, 9.0) == 900


def test_a_measured_step_decides_both_sides() -> None:
    assert cadence.least_steps_interval(100, 8.0, 6.0, 5.0) == 800
    assert cadence.most_steps_interval(100, 8.0, 9.0) == 800


def test_an_untimed_step_leaves_the_interval_unknown() -> None:
    assert cadence.least_steps_interval(100, None, None, None) is None
    assert cadence.most_steps_interval(100, None, None) is None


def test_a_stated_time_wins_over_steps() -> None:
    assert cadence.least_interval(1200.0, 600.0) == cadence.most_interval(1200.0, 900.0) == 1200
    assert (cadence.least_interval(None, 600.0), cadence.most_interval(None, 900.0)) == (600, 900)
