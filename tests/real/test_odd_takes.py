"""Ten recordings that are easily read wrongly: people who swim, lie, tumble, march or walk slowly, and an odd floor."""

import pytest
from benchmarks.unseen.conventions import rewrite

from motionloom import formats
from motionloom.features.floor import estimate_floor
from motionloom.formats.options import CMU_UNIT

pytestmark = pytest.mark.real

ODD = "07_04 08_11 77_17 90_18 111_07 126_02 126_10 138_06 141_15 141_20".split()


@pytest.mark.parametrize("name", ODD)
def test_an_odd_take_is_read_rightly_on_its_own(data, name):
    take = formats.read(data / "odd" / f"{name}.bvh")
    assert (take.source.up, take.source.metres_per_unit) == ("y", CMU_UNIT)
    assert [f.message for f in take.findings if f.kind in ("rate", "unit") and f.is_warning] == []


def test_the_floor_of_a_body_that_sinks_when_it_lands_is_where_it_stands(data):
    """Other takes of this body have their floor 5 to 8 cm above zero; alone it was found at -13 cm."""
    motion = formats.read(data / "odd" / "141_15.bvh").motion
    assert estimate_floor(motion) == pytest.approx(0.065, abs=0.03)


@pytest.mark.parametrize("name", ["everyday/13_35", "everyday/143_17", "walking/69_01", "locomotion_optim/16_45"])
@pytest.mark.parametrize("rest", ["side", "back"])
def test_a_recording_whose_rest_pose_lies_is_read_rightly(data, tmp_path, name, rest):
    motion = formats.read(data / "cmu" / f"{name}.bvh").motion
    take = formats.read(rewrite(tmp_path / "a.bvh", motion, "z", "inches", rest))
    assert (take.source.up, take.source.metres_per_unit) == ("z", 0.0254)
