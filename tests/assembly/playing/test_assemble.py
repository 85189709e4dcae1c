"""Assembling: the frames of a plan are those of its pieces, and joins change only what is near them."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import Generated, Join, Piece, Plan, Recorded, assemble
from motionloom.assembly.playing.bend_and_plant import feet_part
from motionloom.assembly.playing.join_contacts import clean_contacts
from motionloom.conform import ViewSettings, make_view
from motionloom.constraints import PlantReport
from motionloom.motion import Motion, Placement, Skeleton, cut, kinematics, place, provenance, rotations, sample

KINDS = ("cut", "crossfade", "inertialize", "displacement", "arrive", "spread")
CLIPS = ("a", 20, 45), ("b", 10, 60), ("c", 30, 70)


def positions(motion) -> np.ndarray:
    return kinematics.world_positions(motion)


@pytest.mark.parametrize("kind", KINDS)
def test_frames_away_from_joins_are_those_of_the_pieces(plans, view, kind):
    seconds = 0.0 if kind == "cut" else 0.1
    plan = plans.recorded(*CLIPS, kind=kind, seconds=seconds)
    result = assemble(plan, view, footplants=None)
    assert result.motion.n_frames == plan.n_frames == 115
    far = int(seconds * 60) + 1
    for begin, piece in zip(plan.begins, plan.pieces):
        source = place(cut(view.motion(piece.name), piece.start, piece.stop), piece.placement)
        inside = slice(far, piece.n_frames - far)
        np.testing.assert_allclose(
            positions(result.motion)[begin : begin + piece.n_frames][inside], positions(source)[inside], atol=1e-9
        )


@pytest.mark.parametrize("kind", KINDS)
def test_every_frame_says_which_frames_of_which_take_it_is(plans, view, kind):
    plan = plans.recorded(*CLIPS, kind=kind)
    found = assemble(plan, view, footplants=None).provenance
    np.testing.assert_allclose(found.weights.sum(axis=1), 1.0)
    rate = {"a": 1.0, "b": 1.0, "c": 2.0}  # c was recorded at twice the rate of the view
    for begin, piece in zip(plan.begins, plan.pieces):
        middle = piece.n_frames // 2
        ((source, frame, weight),) = found.of_frame(begin + middle)
        assert (source.name, source.kind, weight) == (piece.name, "recorded", 1.0)
        assert frame == pytest.approx((piece.start + middle) * rate[piece.name])


def test_mirrored_copies_at_another_rate_name_the_frames_of_their_takes(corpus):
    view = make_view(corpus, settings=ViewSettings(fps=30.0, mirrored=True))
    pieces = (Piece(Recorded("a~mirrored"), 5, 25), Piece(Recorded("c"), 5, 25))
    plan = Plan(pieces, (Join("crossfade", 0.2),), view.fps, view.skeleton.digest, view.key)
    result = assemble(plan, view, footplants=None)
    assert [(s.name, f, w) for s, f, w in result.provenance.of_frame(4)] == [("a~mirrored", 18.0, 1.0)]  # 9 at 30
    assert [(s.name, f, w) for s, f, w in result.provenance.of_frame(30)] == [("c", 60.0, 1.0)]  # 15 at 30, of 120
    assert {(s.name, f) for s, f, _ in result.provenance.of_frame(21)} == {("a~mirrored", 52.0), ("c", 24.0)}
    np.testing.assert_array_equal(result.contacts[:15], view.layer("a~mirrored", "contacts")[5:20])
    np.testing.assert_array_equal(result.contacts[:15], view.layer("a", "contacts")[5:20][:, [2, 3, 0, 1]])


def test_both_sides_of_a_crossfade_are_named_with_their_weights(plans, view):
    found = assemble(plans.recorded(*CLIPS[:2], kind="crossfade", seconds=0.3), view, footplants=None).provenance
    entries = found.of_frame(25)  # the first frame of the second piece, the middle of the fade
    assert {(source.name, frame) for source, frame, _ in entries} == {("a", 45.0), ("b", 10.0)}
    assert sum(weight for *_, weight in entries) == pytest.approx(1.0)
    assert [weight for *_, weight in entries] == pytest.approx([0.5, 0.5], abs=0.1)


@pytest.mark.parametrize("kind", ["crossfade", "inertialize", "displacement", "arrive", "spread"])
def test_a_recording_joined_with_its_own_continuation_is_the_recording(plans, view, kind):
    pieces = [Piece(Recorded("b"), 5, 40), Piece(Recorded("b"), 40, 75)]
    result = assemble(plans.of(pieces, kind), view, footplants=None)
    np.testing.assert_allclose(positions(result.motion), positions(cut(view.motion("b"), 5, 75)), atol=1e-7)


@pytest.mark.parametrize("kind", ["crossfade", "inertialize", "displacement", "arrive", "spread"])
@pytest.mark.parametrize("pace", [0.4, 1.7])
def test_a_warped_recording_joined_with_its_own_continuation_goes_on_at_its_pace(plans, view, kind, pace):
    times = 6.0 + pace * np.arange(36)
    pieces = [Piece(Recorded("b"), 5, 75, time_warp=part) for part in (times[:18], times[18:])]
    result = assemble(plans.of(pieces, kind, 0.15), view, footplants=None)
    np.testing.assert_allclose(positions(result.motion), positions(sample(view.motion("b"), times)), atol=2e-3)


@pytest.mark.parametrize("kind", ["inertialize", "displacement", "arrive"])
def test_a_piece_at_the_end_of_its_source_is_taken_to_go_on_as_it_moved_last(plans, kind):
    motion = plans.generated(n_frames=30).motion
    glide = 2.0 / 60 * np.arange(60)[:, None] * np.array([1.0, 0.0, 0.5])
    stiff = np.repeat(motion.local_rotations[:1], 60, axis=0)
    whole = replace(motion, root_positions=motion.root_positions[0] + glide, local_rotations=stiff)
    halves = [Generated(cut(whole, start, start + 30), "glider") for start in (0, 30)]
    result = assemble(plans.of([Piece(half, 0, 30) for half in halves], kind), footplants=None)
    np.testing.assert_allclose(positions(result.motion), positions(whole), atol=1e-6)


@pytest.mark.parametrize("kind", ["inertialize", "displacement", "arrive", "spread"])
def test_joins_close_the_gap_that_a_cut_leaves(plans, view, kind):
    near = Placement(0.05, np.array([0.02, -0.03]))
    pieces = [Piece(Recorded("b"), 5, 40), Piece(Recorded("b"), 40, 75, near)]
    steps = {}
    for how in ("cut", kind):
        motion = assemble(plans.of(pieces, how), view, footplants=None).motion
        steps[how] = np.linalg.norm(np.diff(positions(motion), axis=0), axis=-1)[34].max()
    usual = np.linalg.norm(np.diff(positions(cut(view.motion("b"), 5, 75)), axis=0), axis=-1)[34].max()
    assert abs(steps[kind] - usual) < 0.5 * abs(steps["cut"] - usual)


@pytest.mark.parametrize("kind, untouched", [("arrive", slice(25, 75)), ("inertialize", slice(0, 25))])
def test_one_piece_can_be_left_as_it_is(plans, view, kind, untouched):
    clips = ("a", 20, 45), ("b", 10, 60)
    joined, plain = (assemble(plans.recorded(*clips, kind=how), view, footplants=None) for how in (kind, "cut"))
    np.testing.assert_allclose(positions(joined.motion)[untouched], positions(plain.motion)[untouched], atol=1e-7)
    assert np.abs(positions(joined.motion) - positions(plain.motion)).max() > 0.1
    for frame in (24, 25):
        assert [w for *_, w in joined.provenance.of_frame(frame)] == [1.0]


def test_contacts_come_from_the_heavier_side(plans):
    rng = np.random.default_rng(3)
    steps = [np.repeat(rng.random((5, 4)) < 0.5, 10, axis=0) for _ in range(2)]  # no contact shorter than 10 frames
    motion = plans.generated().motion
    stiff = np.repeat(motion.local_rotations[:1], motion.n_frames, axis=0)
    still = replace(motion, root_positions=motion.root_positions * [1, 0, 1], local_rotations=stiff)
    pieces = [Piece(Generated(still, "statue", contacts=contacts), 10, 40) for contacts in steps]
    result = assemble(plans.of(pieces, "crossfade", 0.3), footplants=None)
    np.testing.assert_array_equal(result.contacts, np.concatenate([contacts[10:40] for contacts in steps]))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("11111100", "00111111", "1111110000111111"),  # a step of its own
        ("11111110", "01111111", "1111111111111111"),  # a gap that only the join made
        ("00000011", "00000000", "0000000000000000"),  # a contact that only the join made
        ("00000011", "11000000", "0000001111000000"),  # both sides together are long enough
        ("00110000", "00001100", "0011000000001100"),  # away from the join nothing changes
    ],
)
def test_slivers_of_contact_at_a_join_are_cleaned(before, after, expected):
    contacts = np.array([[letter == "1"] * 4 for letter in before + after])
    found = clean_contacts(contacts, len(before), 4)
    assert "".join("01"[int(flag)] for flag in found[:, 2]) == expected


def test_a_report_says_whether_planted_feet_stay(plans, view):
    still = PlantReport((), (), 20.0, 0.9, 0.0, 0.0, 1.0, 0.0)
    assert feet_part(still).met and not feet_part(still).why_not
    glides = replace(still, farthest_after_mm=1.1)
    assert not feet_part(glides).met and feet_part(glides).why_not == "feet glide"


def test_a_time_warp_shows_the_frames_it_names(plans, view):
    warp = np.linspace(10.0, 59.0, 80) ** 1.0
    piece = Piece(Recorded("b"), 10, 60, Placement(0.4, np.array([1.0, 2.0])), warp)
    result = assemble(plans.of([piece]), view, footplants=None)
    expected = place(sample(view.motion("b"), warp), piece.placement)
    np.testing.assert_allclose(positions(result.motion), positions(expected), atol=1e-12)
    np.testing.assert_allclose(result.provenance.frames[:, 0], warp)
    np.testing.assert_array_equal(result.contacts, view.layer("b", "contacts")[np.round(warp).astype(int)])


@pytest.mark.parametrize("warp", [[10, 12, 14, 20], [10, 10, 10], [10, 11, 11, 12], [59]])
def test_a_time_warp_of_whole_frames_may_leave_some_out_or_hold_them(plans, view, warp):
    result = assemble(plans.of([Piece(Recorded("b"), 10, 60, time_warp=warp)]), view, footplants=None)
    source = view.motion("b")
    np.testing.assert_allclose(positions(result.motion), positions(source)[warp], atol=1e-7)
    np.testing.assert_array_equal(result.contacts, view.layer("b", "contacts")[warp])
    np.testing.assert_array_equal(result.provenance.frames[:, 0], warp)


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_of_one_frame_are_joined_like_others(plans, view, kind):
    pieces = [Piece(Recorded("a"), 5, 6), Piece(Recorded("b"), 7, 8), Piece(Recorded("a"), 79, 80)]
    result = assemble(plans.of(pieces, kind, 0.0 if kind == "cut" else 1 / 60), view)
    assert result.motion.n_frames == 3 and np.isfinite(positions(result.motion)).all()
    assert "b" in [source.name for source, *_ in result.provenance.of_frame(1)]
    assert {source.name for frame in (0, 2) for source, *_ in result.provenance.of_frame(frame)[:1]} == {"a"}


@pytest.mark.parametrize("kind", KINDS)
def test_warped_pieces_are_joined_like_others(plans, view, kind):
    pieces = [
        Piece(Recorded("b"), 5, 40, time_warp=np.linspace(5, 39, 60)),
        Piece(Recorded("b"), 40, 75, time_warp=np.linspace(40, 74, 20)),
    ]
    result = assemble(plans.of(pieces, kind, seconds=0.0 if kind == "cut" else 0.2), view, footplants=None)
    assert result.motion.n_frames == 80
    assert np.isfinite(positions(result.motion)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_generated_pieces_without_frames_to_spare_are_joined_too(plans, kind):
    pieces = [Piece(plans.generated(seed=seed), 0, 50) for seed in (3, 4)]
    result = assemble(plans.of(pieces, kind), footplants=None)
    assert result.motion.n_frames == 100
    ((source, frame, _),) = result.provenance.of_frame(2)
    assert (source.kind, source.name, dict(source.details), frame) == ("generated", "wiggle", {"seed": 3}, 2.0)


def test_one_piece_alone_is_itself(plans, view):
    result = assemble(plans.recorded(("a", 0, 80)), view, footplants=None)
    np.testing.assert_array_equal(result.motion.local_rotations, view.motion("a").local_rotations)


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_of_one_frame_are_joined(plans, view, kind):
    plan = plans.recorded(("a", 7, 8), ("b", 10, 11), ("c", 0, 1), kind=kind, seconds=0.0)
    assert assemble(plan, view, footplants=None).motion.n_frames == 3


def test_a_report_names_what_could_not_be_measured(plans):
    report = assemble(plans.of([Piece(plans.generated(), 0, 50)]), footplants=None).report
    unmeasured = [line for line in report.quality if line.value is None]
    assert [line.name for line in unmeasured] == ["joins", "pose limits", "nearest real frame"]
    assert {line.note for line in unmeasured} == {"no recordings were given to compare with"}
    assert [timing.step for timing in report.timings] == ["assembling", "planting feet", "measuring"]


def test_a_body_without_legs_is_assembled_too(plans):
    names = ("Hips", "Spine", "Head")
    skeleton = Skeleton(names, np.array([-1, 0, 1]), np.array([[0, 0, 0], [0, 0.3, 0], [0, 0.3, 0]]))
    turns = np.linspace(0, 0.5, 30)[:, None, None] * np.ones((3, 3))
    motion = Motion(skeleton, np.tile([0.0, 1.0, 0.0], (30, 1)), rotations.exp(turns), 60.0)
    pieces = [Piece(Generated(motion, "nod"), 0, 20), Piece(Generated(motion, "nod"), 5, 30)]
    plan = plans.of(pieces, "inertialize", 0.1, skeleton=skeleton.digest)
    result = assemble(plan)
    assert result.motion.n_frames == 45 and not result.contacts.any()
    assert not result.report.parts


def test_a_plan_of_another_view_is_played_with_a_note(plans, view):
    plan = replace(plans.recorded(("a", 0, 10)), view="another")
    assert "another view" in assemble(plan, view, footplants=None).report.notes[0]
    assert not assemble(replace(plan, view=view.key), view, footplants=None).report.notes


def test_the_request_is_echoed(plans, view):
    plan = replace(plans.recorded(("a", 0, 10)), request={"length": "10f"})
    assert assemble(plan, view, footplants=None).report.asked == {"length": "10f"}


def test_a_result_used_as_a_source_can_be_traced_to_recordings(plans, view):
    inner = assemble(plans.recorded(*CLIPS[:2], kind="cut"), view, footplants=None)
    outer = provenance.recorded("mine", np.arange(10, 40))
    names = {source.name for source in provenance.trace(outer, {"mine": inner.provenance}).sources}
    assert names == {"a", "b"}


def test_the_same_plan_gives_the_same_frames(plans, view):
    plan = plans.recorded(*CLIPS, kind="displacement", seconds=0.1)
    one, other = (assemble(plan, view).motion for _ in range(2))
    np.testing.assert_array_equal(one.local_rotations, other.local_rotations)
    assert Join.usual("displacement").seconds > 0.1
