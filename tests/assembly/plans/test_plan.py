"""Plans: what they say, what they refuse, and that they come back from files."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.assembly import (
    Bent,
    Generated,
    Join,
    Piece,
    Plan,
    Recorded,
    assemble,
    check_plan,
    fit_joins,
    read_plan,
    write_plan,
)
from motionloom.errors import BadInput, FormatError, SkeletonMismatch
from motionloom.motion import Footing, Placement, Support
from motionloom.motion.ground import Box

CLIPS = ("a", 5, 40), ("b", 10, 60), ("a", 50, 80)


def test_a_plan_lasts_as_long_as_its_pieces(plans):
    plan = plans.recorded(*CLIPS)
    assert plan.n_frames == 35 + 50 + 30
    assert plan.begins == (0, 35, 85)


def test_a_time_warp_decides_how_long_a_piece_plays(plans):
    piece = Piece(Recorded("a"), 5, 40, time_warp=np.linspace(5, 39, 90))
    assert piece.n_frames == 90
    assert plans.of([piece]).n_frames == 90


def test_a_plan_is_printed_line_by_line(plans):
    text = plans.recorded(*CLIPS).describe().splitlines()
    assert text[0] == "1.92 s at 60 frames per second, 3 pieces"
    assert text[1].split() == "0.00 s a [5, 40) at (0.00, 0.00) m, 0 deg".split()
    assert text[2].split() == "0.58 s b [10, 60) at (1.00, -0.50) m, 17 deg; crossfade of 0.30 s".split()


def test_a_bent_piece_is_played_as_it_is_and_says_which_frames_were_recorded(plans, tmp_path, make):
    motion = make.motion(20, seed=4)
    frames, contacts = 100 + 2.0 * np.arange(20), np.arange(80).reshape(20, 4) % 3 == 0
    first = Piece(Bent("take", motion, frames, contacts), 0, 12)
    second = Piece(Bent("take", motion, frames, contacts), 5, 20, Placement(1.0, np.array([2.0, 3.0])))
    plan = Plan((first, second), (Join("cut", 0.0),), motion.fps, motion.skeleton.digest)
    write_plan(tmp_path / "plan.npz", plan)
    for each in (plan, read_plan(tmp_path / "plan.npz")):
        result = assemble(each, footplants=None)
        np.testing.assert_array_equal(result.motion.root_positions[:12], motion.root_positions[:12])
        np.testing.assert_allclose(result.motion.root_positions[12:, 1], motion.root_positions[5:, 1])
        np.testing.assert_array_equal(result.contacts, np.concatenate([contacts[:12], contacts[5:]]))
        shown = [result.provenance.of_frame(frame) for frame in (0, 11, 12, 26)]
        assert [(source.name, source.kind, at) for ((source, at, _),) in shown] == [
            ("take", "recorded", at) for at in (100.0, 122.0, 110.0, 138.0)
        ]
        assert each.pieces[0].describe().startswith("take (bent) [100, 123)")


def test_a_bent_piece_knows_the_recorded_frame_of_each_of_its_own(make):
    motion = make.motion(20)
    with pytest.raises(BadInput, match=r"frames of the take \(19,\) for a motion of 20 frames"):
        Piece(Bent("take", motion, np.arange(19.0), np.zeros((20, 4), bool)), 0, 20)


@pytest.mark.parametrize("extension", ["json", "npz"])
def test_a_plan_of_recordings_comes_back_from_either_kind_of_file(plans, tmp_path, extension):
    plan = plans.recorded(*CLIPS, kind="inertialize", request={"length": "2s", "places": (1, np.float64(2.5))})
    warped = replace(plan.pieces[1], time_warp=np.linspace(10, 59, 77) + 1e-13)
    plan = replace(plan, pieces=(plan.pieces[0], warped, plan.pieces[2]))
    write_plan(tmp_path / f"plan.{extension}", plan)
    again = read_plan(tmp_path / f"plan.{extension}")
    assert again.describe() == plan.describe()
    assert again.request == {"length": "2s", "places": [1, 2.5]}
    assert (again.view, again.skeleton, again.joins) == (plan.view, plan.skeleton, plan.joins)
    np.testing.assert_array_equal(again.pieces[1].time_warp, warped.time_warp)
    assert again.content_key == plan.content_key


def test_generated_pieces_come_back_bit_for_bit(plans, tmp_path):
    step = Support(Box((1.0, 2.0), (0.1, 0.2), 0.3, 0.4, 0.0), 5, 30)
    source = plans.generated(contacts=np.random.default_rng(0).random((50, 4)) < 0.5)
    source = replace(source, footing=Footing(supports=(step,)))
    plan = plans.of([Piece(source, 3, 45, Placement(1.0, np.array([2.0, 3.0]))), *plans.recorded(*CLIPS).pieces])
    write_plan(tmp_path / "plan.npz", plan)
    assert read_plan(tmp_path / "plan.npz").content_key == plan.content_key
    again = read_plan(tmp_path / "plan.npz").pieces[0]
    assert isinstance(again.source, Generated)
    assert (again.source.model, again.source.parameters) == ("wiggle", {"seed": 9})
    assert again.source.motion.skeleton == source.motion.skeleton
    np.testing.assert_array_equal(again.source.motion.local_rotations, source.motion.local_rotations)
    np.testing.assert_array_equal(again.source.contacts, source.contacts)
    assert again.source.footing == source.footing
    assert assemble(plans.of([Piece(again.source, 3, 45)]), footplants=None).character.footing.supports[0].start == 2
    with pytest.raises(BadInput, match=r"frames of their own.*write an \.npz"):
        write_plan(tmp_path / "plan.json", plan)


def test_a_plan_from_a_file_gives_the_same_frames_bit_for_bit(plans, view, tmp_path):
    rng = np.random.default_rng(5)
    for _ in range(20):
        placements = [Placement(rng.uniform(-4, 4), rng.normal(size=2)) for _ in range(2)]
        pieces = [Piece(Recorded(name), 5, 30, placement) for name, placement in zip("ab", placements)]
        plan = plans.of(pieces, "displacement", 0.1)
        write_plan(tmp_path / "plan.json", plan)
        again = read_plan(tmp_path / "plan.json")
        for one, other in zip(plan.pieces, again.pieces):
            assert one.placement.heading == other.placement.heading
            np.testing.assert_array_equal(one.placement.slide, other.placement.slide)
    first, second = (assemble(each, view).motion for each in (plan, again))
    np.testing.assert_array_equal(first.root_positions, second.root_positions)
    np.testing.assert_array_equal(first.local_rotations, second.local_rotations)


def test_numbers_of_numpy_in_a_plan_can_be_written(plans, tmp_path):
    pieces = [Piece(Recorded("a"), np.int64(5), np.int32(40)), Piece(Recorded("b"), np.uint8(5), 40)]
    plan = plans.of(pieces, "crossfade", np.float32(0.25), fps=np.float32(60))
    write_plan(tmp_path / "plan.json", plan)
    assert read_plan(tmp_path / "plan.json").describe() == plan.describe()


def test_arrays_among_parameters_become_lists(plans, tmp_path):
    source = plans.generated()
    sources = [replace(source, parameters={"style": np.array([0.5, seed]), "n": np.int64(3)}) for seed in (1, 2)]
    plan = plans.of([Piece(source, 0, 50) for source in sources])
    found = assemble(plan).provenance.sources  # two models of one name differ by their parameters
    assert [source.details for source in found] == [{"style": [0.5, seed], "n": 3} for seed in (1, 2)]
    write_plan(tmp_path / "plan.npz", plan)
    assert read_plan(tmp_path / "plan.npz").pieces[1].source.parameters == {"style": [0.5, 2.0], "n": 3}


@pytest.mark.parametrize("value", [np.nan, np.inf, object(), {1, 2}, [[1j]]])
def test_what_no_file_can_hold_is_refused_at_once(plans, value):
    with pytest.raises(BadInput, match=r"parameters of 'wiggle': deep: style: .*cannot be kept"):
        replace(plans.generated(), parameters={"deep": {"style": value}})
    with pytest.raises(BadInput, match=r"request: places: .*cannot be kept"):
        plans.recorded(*CLIPS, request={"places": [value]})


def test_damaged_plans_are_refused_in_one_sentence(plans, tmp_path):
    def damage(change):
        content = json.loads((tmp_path / "plan.json").read_text())
        change(content)
        (tmp_path / "bad.json").write_text(json.dumps(content))
        return tmp_path / "bad.json"

    write_plan(tmp_path / "plan.json", plans.recorded(*CLIPS))
    changes = {
        "piece 0 has its own frames": lambda d: d["pieces"].__setitem__(0, {"model": "x", "start": 0, "stop": 9}),
        "piece 'a': start must be an integer, got 1.5": lambda d: d["pieces"][0].update(start=1.5),
        "piece 'a': stop must be an integer, got '9'": lambda d: d["pieces"][0].update(stop="9"),
        "a piece of 7; give the name": lambda d: d["pieces"][0].update(take=7),
        "time warp": lambda d: d["pieces"][0].update(time_warp=[[6, 7], [8, 9]]),
        "give a mapping": lambda d: d.update(request=[1]),
        "not a plan of motionloom": lambda d: d.update(pieces=None),
        "not a plan of": lambda d: d.update(version="1"),
        "no join": lambda d: d.update(joins=[{"kind": "melt", "seconds": 1}] * 2),
    }
    for message, change in changes.items():
        with pytest.raises(FormatError, match=message):
            read_plan(damage(change))
    (tmp_path / "bad.json").write_text("[" * 100_000)
    with pytest.raises(FormatError, match="not a plan of motionloom"):
        read_plan(tmp_path / "bad.json")


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10_000_000), st.integers(0, 255))
def test_a_damaged_plan_is_refused_or_still_a_plan(plan_file, damage, place, byte):
    damaged = damage(plan_file, place, byte)
    try:
        assert isinstance(read_plan(damaged), Plan)
    except FormatError as error:
        assert str(damaged) in str(error)


@pytest.fixture(scope="module")
def plan_file(plans, tmp_path_factory):
    path = tmp_path_factory.mktemp("plan") / "plan.npz"
    write_plan(path, plans.of([Piece(plans.generated(n_frames=2), 0, 2)]))
    return path


def test_files_that_are_no_plans_are_refused(plans, tmp_path):
    for name, content in (("a.json", b"{}"), ("b.json", b"{"), ("c.npz", b"PK"), ("d.json", b'{"format": 3}')):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FormatError, match="not a plan of motionloom"):
            read_plan(tmp_path / name)
    with pytest.raises(FormatError, match="cannot be read"):
        read_plan(tmp_path / "nowhere.json")
    with pytest.raises(BadInput, match=r"a \.json or an \.npz file, not '\.txt'"):
        write_plan(tmp_path / "plan.txt", plans.recorded(*CLIPS))
    write_plan(tmp_path / "new.json", plans.recorded(*CLIPS))
    content = (tmp_path / "new.json").read_text().replace('"version": 1', '"version": 9')
    (tmp_path / "new.json").write_text(content)
    with pytest.raises(FormatError, match="version 9, but this motionloom reads up to 1"):
        read_plan(tmp_path / "new.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": 20, "stop": 20}, "the first must come before the last"),
        ({"start": 5.5}, "start must be an integer, got 5.5"),
        ({"start": -1}, "the first must come before the last"),
        ({"placement": Placement(np.nan, np.zeros(2))}, "finite heading"),
        ({"placement": Placement(0.0, np.zeros(3))}, "slide of two numbers"),
        ({"time_warp": [5.0, 7.0, 6.0]}, "goes back, from frame 7 to 6 at 2"),
        ({"time_warp": [5.0, np.nan]}, "finite frames of the source"),
        ({"time_warp": [3.0, 7.0]}, r"outside \[5, 40\)"),
        ({"time_warp": [5.0, 39.5]}, r"outside \[5, 40\)"),
        ({"time_warp": []}, "finite frames of the source"),
    ],
)
def test_pieces_that_make_no_sense_are_refused(change, message):
    with pytest.raises(BadInput, match=f"piece 'a': .*{message}"):
        replace(Piece(Recorded("a"), 5, 40), **change)


def test_generated_pieces_are_looked_at(plans, make):
    source = plans.generated()
    with pytest.raises(BadInput, match=r"piece 'wiggle': frames \[0, 51\) are out of range: the motion has 50 frames"):
        Piece(source, 0, 51)
    broken = source.motion.local_rotations.copy()
    broken[7, 3] = np.nan
    with pytest.raises(BadInput, match="local_rotations of frame 7 are not finite"):
        Piece(replace(source, motion=replace(source.motion, local_rotations=broken)), 0, 50)
    with pytest.raises(BadInput, match=r"contacts \(49, 4\) for a motion of 50 frames"):
        Piece(replace(source, contacts=np.zeros((49, 4), bool)), 0, 50)
    taller = replace(source, motion=replace(source.motion, skeleton=source.motion.skeleton.scaled(1.1)))
    with pytest.raises(SkeletonMismatch, match=r"piece 'wiggle'.*conform it first"):
        plans.of([Piece(taller, 0, 50)])
    with pytest.raises(BadInput, match="60 frames per second in a plan at 30; resample"):
        plans.of([Piece(source, 0, 50)], fps=30.0)


def test_plans_that_make_no_sense_are_refused(plans):
    plan = plans.recorded(*CLIPS)
    with pytest.raises(BadInput, match="plays nothing"):
        replace(plan, pieces=(), joins=())
    with pytest.raises(BadInput, match="1 joins for 3 pieces; between them there are 2"):
        replace(plan, joins=plan.joins[:1])
    with pytest.raises(BadInput, match="more than 0"):
        replace(plan, fps=0.0)


def test_unknown_joins_name_the_known_ones():
    with pytest.raises(
        BadInput, match="no join 'melt'; there are cut, crossfade, inertialize, displacement, arrive, spread"
    ):
        Join("melt", 0.1)
    with pytest.raises(BadInput, match="no join 'melt'"):
        Join.usual("melt")
    with pytest.raises(BadInput, match="must be 0 or more seconds, got"):
        Join("crossfade", -1.0)
    with pytest.raises(BadInput, match="a cut takes no time"):
        Join("cut", 0.5)


@pytest.mark.parametrize("kind", ["crossfade", "inertialize", "displacement", "arrive", "spread"])
def test_a_join_longer_than_a_piece_is_refused_and_can_be_fitted(plans, kind):
    short = ("a", 0, 60), ("b", 10, 16), ("c", 0, 60)
    with pytest.raises(BadInput, match=rf"join [01], from '[ab]' to '[bc]': {kind} of 1\.00 s, but pieces of"):
        plans.recorded(*short, kind=kind, seconds=1.0)
    pieces = plans.recorded(*short, kind="cut").pieces
    slightly = tuple(
        replace(join, seconds=1.1 * join.seconds) for join in fit_joins(pieces, (Join(kind, 1.0),) * 2, 60.0)
    )
    with pytest.raises(BadInput, match="shorten it, or use fit_joins"):
        Plan(pieces, slightly, 60.0, plans.view.skeleton.digest)
    joins = fit_joins(pieces, (Join(kind, 1.0),) * 2, 60.0)
    fitted = Plan(pieces, joins, 60.0, plans.view.skeleton.digest)
    longest = {"crossfade": (0.2, 0.2), "inertialize": (0.1, 1.0), "arrive": (1.0, 0.1)}
    assert tuple(join.seconds for join in fitted.joins) == pytest.approx(longest.get(kind, (0.1, 0.1)))


def test_a_plan_is_checked_against_its_view(plans, view):
    check_plan(plans.recorded(*CLIPS), view)
    with pytest.raises(BadInput, match=r"piece 'a': frames \[50, 81\) are out of range: in the view it has 80 frames"):
        check_plan(plans.recorded(("a", 50, 81)), view)
    with pytest.raises(BadInput, match="no motion 'nobody' in the view"):
        check_plan(plans.recorded(("nobody", 0, 10)), view)
    with pytest.raises(SkeletonMismatch, match="make a view with the same reference"):
        check_plan(plans.recorded(("a", 0, 10), skeleton="0" * 16), view)
    with pytest.raises(BadInput, match="30 frames per second, the view 60"):
        check_plan(plans.recorded(("a", 0, 10), fps=30.0), view)
    with pytest.raises(BadInput, match="piece 'a' is a recording; give the view"):
        check_plan(plans.recorded(("a", 0, 10)), None)
