"""TRC files: rate, units and names from the header, gaps in any of the ways in which they are written."""

from pathlib import Path

import numpy as np
import pytest
from tests.formats.point_sets import messages, points_of, read_table

TRC = """PathFileType\t4\t(X/Y/Z)\ta.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames
120.00\t120.00\t3\t2\tmm\t120.00\t1\t3
Frame#\tTime\tC7\t\t\tL ANK\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

1\t0.000\t10.5\t-3\t1500\t12\t4\t80
2\t0.008\t10.6\t-3\t1501\t\t\t
3\t0.017\t10.7\t-3\t1502\t13\t4.25\t80
"""


def test_the_header_says_rate_unit_and_names(tmp_path: Path) -> None:
    take = read_table(tmp_path, TRC, "a.trc")
    motion = points_of(take)
    assert (motion.names, motion.fps, take.source.format) == (("C7", "L ANK"), 120, "trc")
    assert (take.source.metres_per_unit, take.source.up) == (0.001, "z")
    np.testing.assert_allclose(motion.positions[0], [[0.0105, 1.5, 0.003], [0.012, 0.08, -0.004]], atol=1e-12)
    assert np.isnan(motion.positions[1, 1]).all() and np.isfinite(motion.positions[[0, 2]]).all()
    assert "1 gap in 1 of 2 points" in messages(take, "gaps")[0]


def test_units_in_metres_and_units_that_nobody_knows(tmp_path: Path) -> None:
    in_metres = TRC.replace("\tmm\t", "\tm\t").replace("1500", "1.5").replace("1501", "1.5").replace("1502", "1.5")
    assert read_table(tmp_path, in_metres, "a.trc").source.metres_per_unit == 1
    unknown = read_table(tmp_path, TRC.replace("\tmm\t", "\tells\t"), "a.trc")
    assert unknown.source.metres_per_unit == 0.001 and "units are millimetres" in messages(unknown, "unit")[0]


@pytest.mark.parametrize("gap", ["\t\t", "0\t0\t0", "nan\tnan\tnan", "0.000\t0.000\t0.000"])
def test_every_way_to_write_a_gap_is_understood(gap: str, tmp_path: Path) -> None:
    text = TRC.replace("1501\t\t\t", f"1501\t{gap}")
    take = read_table(tmp_path, text, "a.trc")
    assert np.isnan(points_of(take).positions[1, 1]).all()
    assert any("exactly at 0 0 0" in message for message in messages(take, "gaps")) == gap.startswith("0")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("80\n", "80\t\n"),  # a tab behind the last number
        lambda text: text.replace("\n\n", "\n"),  # no blank line
        lambda text: "\ufeff" + text,
        lambda text: text + "\n\n",
        lambda text: text.replace("\tL ANK\t\t\n", "\tL ANK\n"),
    ],
)
def test_the_ways_of_other_programs_are_understood(change, tmp_path: Path) -> None:
    expected = points_of(read_table(tmp_path, TRC, "a.trc"))
    motion = points_of(read_table(tmp_path, change(TRC), "b.trc"))
    np.testing.assert_array_equal(motion.positions, expected.positions)
    assert motion.names == expected.names


def test_numbers_in_exponents_and_a_start_in_the_middle(tmp_path: Path) -> None:
    text = TRC.replace("1\t0.000\t10.5", "101\t0.0e0\t1.05e1").replace("2\t0.008", "102\t8e-3")
    motion = points_of(read_table(tmp_path, text.replace("3\t0.017", "104\t2.5e-2"), "a.trc"))
    assert motion.n_frames == 4 and np.isnan(motion.positions[2]).all()
    assert motion.positions[0, 0, 0] == pytest.approx(0.0105)
