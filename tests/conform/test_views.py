"""Views: takes on one skeleton, rate and floor."""

import json
from dataclasses import replace

import numpy as np
import pytest

from motionloom.caching import KINDS, Kind
from motionloom.caching.modules import Sources
from motionloom.caching.versions import PACKAGE, digest_sources, maker_names
from motionloom.conform import Origin, ViewSettings, conform_motion, make_view, view_builder
from motionloom.conform.base_view import swap_sides
from motionloom.corpus import Contact, Corpus, Event, Label
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points
from motionloom.features.floor import estimate_floor
from motionloom.formats.take import Source, Take
from motionloom.motion import Motion, PointMotion, Skeleton, hinges, kinematics, mirror, rotations
from motionloom.performer import Writer, perform

SOURCE = Source("x", "npz", "", 60.0, 1.0)


@pytest.fixture
def people(tmp_path, make):
    """Takes of people of 90, 100 and 130 % size at 60, 120 and 60 Hz, on floors of their own; the first is longest."""
    with Corpus.create(tmp_path / "corpus") as corpus:
        for name, size, fps, n_frames, floor in (
            ("small", 0.9, 60.0, 100, 0.5),
            ("middle", 1.0, 120.0, 61, -0.25),
            ("tall", 1.3, 60.0, 30, 0.0),
        ):
            motion = make.motion(n_frames=n_frames, seed=len(name), fps=fps, wildness=0.2, hinged=True)
            root = motion.root_positions * size + np.array([0, floor, 0])
            sized = replace(motion, skeleton=motion.skeleton.scaled(size), root_positions=root)
            corpus.add(Take(name, sized, SOURCE), floor_height=floor)
        yield corpus


def test_every_motion_has_the_reference_skeleton_and_rate(people):
    view = make_view(people, settings=ViewSettings(reference="middle"))
    assert view.names == ("middle", "small", "tall")
    assert view.skeleton == people.take("middle").motion.skeleton
    for name, n_frames in (("small", 100), ("middle", 31), ("tall", 30)):
        motion = view.motion(name)
        assert (motion.skeleton, motion.fps, motion.n_frames) == (view.skeleton, 60.0, n_frames)
    assert view.n_frames == 161 == view.starts[-1]


def test_the_reference_is_the_skeleton_in_the_middle_when_every_frame_counts(people):
    assert make_view(people).skeleton == people.take("small").motion.skeleton
    assert make_view(people, ["middle", "tall"]).skeleton == people.take("small").motion.skeleton  # for all views


def test_the_same_moves_of_people_of_any_size_become_one_motion(make):
    motion = make.motion(n_frames=20, wildness=0.2, hinged=True)
    big = replace(
        motion,
        skeleton=motion.skeleton.scaled(1.7),
        root_positions=motion.root_positions * 1.7 + np.array([0.0, 0.3, 0.0]),
    )
    conformed = conform_motion(big, 0.3, motion.skeleton, 60.0)
    np.testing.assert_allclose(conformed.root_positions, motion.root_positions, atol=1e-9)
    np.testing.assert_array_equal(conformed.local_rotations, motion.local_rotations)


def test_feet_keep_their_height_above_the_floor_when_proportions_change(make):
    motion = make.motion(n_frames=40, wildness=0.2, hinged=True)
    odd = replace(motion, skeleton=make.skeleton(seed=4))
    conformed = conform_motion(odd, 0.1, motion.skeleton, 60.0)
    scale = motion.skeleton.leg_length / odd.skeleton.leg_length
    assert estimate_floor(conformed) == pytest.approx((estimate_floor(odd) - 0.1) * scale, abs=1e-9)


def test_a_take_on_its_own_skeleton_and_rate_only_moves_to_the_floor(people):
    view = make_view(people, ["small"])
    take = people.take("small").motion
    np.testing.assert_allclose(view.motion("small").root_positions, take.root_positions - [0, 0.5, 0], atol=1e-6)
    np.testing.assert_allclose(view.motion("small").local_rotations, take.local_rotations, atol=1e-7)


@pytest.fixture
def walker():
    """A walk of the performer, its contacts, and a skeleton with longer shins and narrower hips."""
    performance = perform(Writer("walk").then("stand", 0.5).then("walk", 2).done(), np.random.default_rng(3))
    motion = performance.motion
    factors = np.ones(motion.skeleton.n_joints)
    for side in ("left", "right"):
        factors[motion.skeleton.index(f"{side}_foot")] = 1.25  # the shin
        factors[motion.skeleton.index(f"{side}_hip")] = 0.9
    skeleton = replace(motion.skeleton, offsets=motion.skeleton.offsets * factors[:, None])
    return motion, detect_contacts(motion, 0.0), skeleton


def test_feet_that_stood_stand_on_another_skeleton_too(walker):
    motion, contacts, skeleton = walker
    loose = conform_motion(motion, 0.0, skeleton, 60.0)
    conformed = conform_motion(motion, 0.0, skeleton, 60.0, contacts=contacts)
    planted = contacts[1:] & contacts[:-1]
    slides = [
        np.linalg.norm(np.diff(foot_points(motion, 0.0, like=loose), axis=0), axis=-1)[planted].max()
        for motion in (loose, conformed)
    ]
    assert slides[0] > 0.002
    assert slides[1] < 0.0002


def test_feet_are_planted_at_the_rate_of_the_view(walker):
    motion, contacts, skeleton = walker
    conformed = conform_motion(motion, 0.0, skeleton, 30.0, contacts=contacts)
    loose = conform_motion(motion, 0.0, skeleton, 30.0)
    shown = contacts[::2][: conformed.n_frames]
    moved = np.linalg.norm(np.diff(foot_points(conformed, 0.0, like=loose), axis=0), axis=-1)
    assert moved[shown[1:] & shown[:-1]].max() < 0.001


def test_a_motion_on_its_own_skeleton_stays_as_it_was_recorded(walker):
    motion, contacts, _ = walker
    conformed = conform_motion(motion, 0.0, motion.skeleton, 60.0, contacts=contacts)
    np.testing.assert_array_equal(conformed.local_rotations, motion.local_rotations)


def test_skeletons_without_legs_are_conformed_with_their_feet_as_they_fall(walker):
    motion, contacts, skeleton = walker
    no_knees = {"left_knee": None, "right_knee": None}
    legless = replace(motion, skeleton=motion.skeleton.with_roles(no_knees))
    conformed = conform_motion(legless, 0.0, skeleton.with_roles(no_knees), 60.0, contacts=contacts)
    np.testing.assert_array_equal(conformed.local_rotations, motion.local_rotations)


def test_contacts_of_another_motion_are_refused(walker):
    motion, contacts, skeleton = walker
    with pytest.raises(BadInput, match="contacts"):
        conform_motion(motion, 0.0, skeleton, 60.0, contacts=contacts[:-1])


def test_planted_feet_of_mirrored_copies_stand_on_uneven_legs(tmp_path, walker):
    motion, _, skeleton = walker
    offsets = skeleton.offsets.copy()
    offsets[skeleton.index("left_foot")] *= 1.03
    with Corpus.create(tmp_path / "c") as corpus:
        corpus.add(Take("walk", motion, SOURCE), floor_height=0.0)
        uneven = replace(motion, skeleton=replace(skeleton, offsets=offsets))
        corpus.add(Take("uneven", uneven, SOURCE), floor_height=0.0)
        view = make_view(corpus, ["walk"], ViewSettings(reference="uneven", mirrored=True))
        copy, rests = view.motion("walk~mirrored"), view.layer("walk~mirrored", "contacts")
    loose = mirror(view.motion("walk"), keep_skeleton=True)
    moved = np.linalg.norm(np.diff(foot_points(copy, 0.0, like=loose), axis=0), axis=-1)
    assert moved[rests[1:] & rests[:-1]].max() < 0.001


def test_every_frame_knows_the_take_and_the_frame_it_shows(people):
    view = make_view(people, settings=ViewSettings(reference="middle", mirrored=True))
    assert view.origin(0) == Origin("middle", 0.0, False)
    assert view.origin(30) == Origin("middle", 60.0, False)
    assert view.origin(31) == Origin("small", 0.0, False)
    assert view.origin(view.n_frames - 1) == Origin("tall", 29.0, True)
    shown = view.motion("middle").local_rotations[7]
    np.testing.assert_allclose(shown, people.take("middle").motion.local_rotations[14], atol=1e-6)
    with pytest.raises(BadInput, match=r"frame 322 is out of range: the view has 322 frames"):
        view.origin(322)


def test_a_foot_that_a_skeleton_lacks_rests_in_no_mirrored_copy(tmp_path, walker):
    motion, *_ = walker
    roles = {role: name for role, name in motion.skeleton.roles.items() if role not in ("left_foot", "left_toe")}
    motion = replace(motion, skeleton=replace(motion.skeleton, roles=roles))
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("walk", motion, SOURCE), floor_height=0.0)
        view = make_view(corpus, settings=ViewSettings(mirrored=True))
        assert view.layer("walk", "contacts")[:, 2:].any()
        assert not view.source_contacts[:, :2].any()


def test_mirrored_copies_mirror_motion_labels_and_contacts(people):
    people.add_labels([Label("small", "turn_left", 3, 9)])
    people.add_contacts([Contact("small", "right_heel", 5, 8)])
    view = make_view(people, ["small"], ViewSettings(mirrored=True))
    assert view.names == ("small", "small~mirrored")
    expected = mirror(view.motion("small"), keep_skeleton=True)
    np.testing.assert_allclose(view.motion("small~mirrored").root_positions, expected.root_positions, atol=1e-6)
    np.testing.assert_allclose(view.motion("small~mirrored").local_rotations, expected.local_rotations, atol=1e-6)
    assert view.labels("small~mirrored") == [Label("small~mirrored", "turn_right", 3, 9)]
    assert view.contacts("small~mirrored") == [Contact("small~mirrored", "left_heel", 5, 8)]
    np.testing.assert_array_equal(
        view.layer("small~mirrored", "contacts"), view.layer("small", "contacts")[:, [2, 3, 0, 1]]
    )


def test_labels_contacts_and_events_come_along_in_the_frames_of_the_view(people):
    people.add_labels([Label("middle", "walk", 10, 61), Label("middle", "blink", 11, 12)])
    people.add_events([Event("middle", "catch", 20)])
    people.add_contacts([Contact("middle", "left_ball", 0, 5)])
    view = make_view(people)
    assert view.labels("middle") == [Label("middle", "walk", 5, 31)]  # a blink between two frames is not seen
    assert view.events("middle") == [Event("middle", "catch", 10)]
    assert view.contacts("middle") == [Contact("middle", "left_ball", 0, 3)]


def test_layers_of_a_view_are_those_of_its_motions(people):
    view = make_view(people)
    motion = view.motion("tall")
    positions = kinematics.world_positions(motion)
    layer = view.layer("tall", "positions")
    np.testing.assert_allclose(layer[..., 1], positions[..., 1], atol=1e-5)
    np.testing.assert_allclose(layer[:, 0, [0, 2]], 0.0, atol=1e-5)
    assert view.whole_layer("velocities").shape == (view.n_frames, 21, 3)
    with pytest.raises(BadInput, match="no layer 'x'"):
        view.layer("tall", "x")
    with pytest.raises(BadInput, match="no motion 'nobody' in the view; it has 3: middle, small, tall"):
        view.layer("nobody", "facing")
    for layer in ("supports", "contact_heights"):
        with pytest.raises(BadInput, match=f"no layer '{layer}' of a view.*footing"):
            view.layer("tall", layer)


def test_a_view_is_made_once_and_its_layers_too(people, monkeypatch):
    first = make_view(people)
    velocities = np.array(first.whole_layer("velocities"))
    monkeypatch.setattr(view_builder, "conform", None)
    again = make_view(people)
    assert isinstance(again.frames, np.memmap)
    assert isinstance(again.whole_layer("velocities"), np.memmap)
    np.testing.assert_array_equal(again.frames, first.frames)
    np.testing.assert_array_equal(again.whole_layer("velocities"), velocities)
    with Corpus.open(people.folder) as reader:
        assert isinstance(make_view(reader).frames, np.memmap)


@pytest.mark.parametrize("change", ["settings", "takes", "floor", "code"])
def test_a_view_is_made_again_when_anything_it_depends_on_changes(people, monkeypatch, change):
    key = make_view(people).key
    if change == "takes":
        people.remove("tall")
    elif change == "floor":
        people.set_floor("tall", 0.1)
    elif change == "code":
        monkeypatch.setattr(Kind, "code_version", "other")
    fps = 30.0 if change == "settings" else 60.0
    assert make_view(people, settings=ViewSettings(fps=fps)).key != key


def test_making_a_view_tells_how_far_it_is(people):
    reported = []
    make_view(people, progress=lambda done, total: reported.append((done, total)))
    assert reported == [(1, 3), (2, 3), (3, 3)]


def test_readers_make_views_in_memory(people):
    with Corpus.open(people.folder) as reader:
        before = len(list(people.arrays.iterdir()))
        view = make_view(reader)
        view.whole_layer("facing")
        assert len(list(people.arrays.iterdir())) == before
    np.testing.assert_array_equal(make_view(people).frames, view.frames)


def without(skeleton: Skeleton, prefix: str) -> tuple[Skeleton, list[int]]:
    """A skeleton without the joints whose names begin so, and which joints it has."""
    keep = [i for i, name in enumerate(skeleton.names) if not name.startswith(prefix)]
    parents = np.array([keep.index(p) if p >= 0 else -1 for p in skeleton.parents[keep]])
    names = tuple(skeleton.names[i] for i in keep)
    ends = np.zeros(0, int), np.zeros((0, 3))
    return Skeleton(names, parents, skeleton.offsets[keep], *ends, name="cut"), keep


def test_takes_without_a_toe_are_shown_like_the_others(people, make):
    whole = make.motion(n_frames=50, wildness=0.2, hinged=True)
    lame, keep = without(whole.skeleton, "RightToe")
    people.add(Take("lame", Motion(lame, whole.root_positions, whole.local_rotations[:, keep], 60.0), SOURCE))
    view = make_view(people, settings=ViewSettings(reference="middle"))
    assert view.names == ("lame", "middle", "small", "tall") and not view.left_out
    shown = kinematics.world_positions(view.motion("lame"))
    expected = kinematics.world_positions(whole)
    limbs = [whole.skeleton.index(role) for role in ("left_knee", "right_hand", "head", "right_foot")]
    apart = (shown - shown[:, :1])[:, limbs] - (expected - expected[:, :1])[:, limbs]
    assert np.linalg.norm(apart, axis=-1).max() < 1e-3  # the same bones: only the floor was found elsewhere
    assert make_view(people, ["small"], ViewSettings(reference="lame")).skeleton == lame


def test_takes_that_cannot_be_carried_over_are_left_out_with_the_reason(people, make):
    whole = make.motion(n_frames=5)
    legless, keep = without(whole.skeleton, "Left")
    people.add(Take("armless", Motion(legless, whole.root_positions, whole.local_rotations[:, keep], 60.0), SOURCE))
    people.add(Take("face", PointMotion(("a",), np.zeros((3, 1, 3)), 60.0), SOURCE))
    view = make_view(people, ["armless", "small", "face"])
    assert view.names == ("small",)
    assert [left.take for left in view.left_out] == ["armless", "face"]
    assert "has no joint for left_hip, left_knee, left_foot" in view.left_out[0].reason
    assert view.left_out[1].reason == "it has points and no skeleton"
    with pytest.raises(SkeletonMismatch, match=r"armless: no take can be shown on the reference skeleton: .*left_hip"):
        make_view(people, ["armless"])
    with pytest.raises(SkeletonMismatch, match="face: points without a skeleton"):
        make_view(people, ["face"])
    assert "face" not in make_view(people).names


def test_joints_of_other_names_make_no_difference(people):
    take = people.take("tall")
    skeleton = take.motion.skeleton
    names = tuple(f"Anna:{name}" for name in skeleton.names)
    renamed = Skeleton(names, skeleton.parents, skeleton.offsets, skeleton.end_parents, skeleton.end_offsets)
    people.add(Take("renamed", replace(take.motion, skeleton=renamed), SOURCE), floor_height=0.0)
    view = make_view(people, ["tall", "renamed"], ViewSettings(reference="tall"))
    same = [kinematics.world_positions(view.motion(name)) for name in ("tall", "renamed")]
    np.testing.assert_allclose(*same, atol=1e-5)


def test_motions_floors_and_rates_that_are_no_numbers_are_refused(make):
    motion, other = make.motion(10), make.skeleton(seed=3)
    root = motion.root_positions.copy()
    root[4] = np.nan
    with pytest.raises(BadInput, match="frame 4 of the motion"):
        conform_motion(replace(motion, root_positions=root), 0.0, other, 60.0)
    with pytest.raises(BadInput, match="floor height must be finite, got nan"):
        conform_motion(motion, np.nan, other, 60.0)
    for fps in (np.inf, np.nan, 0.0):
        with pytest.raises(BadInput, match="frames per second"):
            conform_motion(motion, 0.0, other, fps)
    empty = replace(motion, root_positions=root[:0], local_rotations=motion.local_rotations[:0])
    with pytest.raises(BadInput, match="has no frames"):
        conform_motion(empty, 0.0, other, 60.0)


def test_views_of_nothing_or_at_no_rate_are_refused(people):
    with pytest.raises(BadInput, match="no takes chosen for the view"):
        make_view(people, [])
    with pytest.raises(BadInput, match="frame rate must be finite and above 0 frames per second, got inf"):
        make_view(people, settings=ViewSettings(fps=np.inf))
    with pytest.raises(BadInput, match="above 0"):
        make_view(people, settings=ViewSettings(fps=0.0))


def test_sides_are_swapped_in_words():
    assert [swap_sides(word) for word in ("turn_left", "right hand", "walk", "left right")] == [
        "turn_right", "left hand", "walk", "right left",
    ]  # fmt: skip


def test_purging_takes_deletes_the_views_that_show_them_and_what_was_made_of_them(people, monkeypatch):
    both, one = make_view(people, ["small", "tall"]), make_view(people, ["middle"])
    both.layer("small", "facing")
    one.layer("middle", "facing")
    digests = {name: people.info(name).digest for name in people.names()}
    people.remove("small")
    counted = "SELECT kind, count(*) FROM models GROUP BY kind"
    before = people.connection.execute(counted).fetchall()
    assert before == [("conformed take", 2), ("view", 2), ("view layer", 2)]  # it may come back
    people.purge()
    assert people.connection.execute(counted).fetchall() == [("conformed take", 2), ("view", 1), ("view layer", 2)]
    kept = {take for (takes,) in people.connection.execute("SELECT takes FROM models") for take in json.loads(takes)}
    assert kept == {digests["middle"], digests["tall"]}
    rows = "SELECT file FROM takes UNION SELECT file FROM layers UNION SELECT file FROM model_arrays"
    used = {file for (file,) in people.connection.execute(rows)}
    assert {path.name for path in people.arrays.iterdir()} == used
    monkeypatch.setattr(view_builder, "conform", None)  # nothing of the others is made again
    again = make_view(people, settings=ViewSettings())
    np.testing.assert_array_equal(again.motion("tall").local_rotations, both.motion("tall").local_rotations)


def test_a_view_is_made_again_when_the_code_of_layers_changes():
    _, reached = digest_sources(maker_names(*KINDS["conformed take"].makers), Sources(PACKAGE))
    assert "motionloom.corpus.layers" in reached.modules  # every one of which counts, see tests/caching/test_kinds.py


def test_limbs_that_a_recording_overstretches_are_brought_back(tmp_path, make):
    motion = make.motion(n_frames=120, wildness=0.2, hinged=True)
    local = motion.local_rotations.copy()
    bends = np.radians(20 + 35 * np.sin(np.arange(120) / 10))
    knee, elbow = motion.skeleton.index("left_knee"), motion.skeleton.index("right_elbow")
    local[:, knee] = rotations.exp(bends[:, None] * np.array([1.0, 0, 0]))
    local[:, elbow] = rotations.exp(bends[:, None] * np.array([0, 1.0, 0]))
    stretched = replace(motion, local_rotations=local)
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("own", stretched, Source("x", "npz", "", 60.0, 1.0)), floor_height=0.0)
        other = replace(stretched, skeleton=make.skeleton(seed=3))
        corpus.add(Take("other", other, Source("x", "npz", "", 60.0, 1.0)), floor_height=0.0)
        view = make_view(corpus, settings=ViewSettings(reference="own"))
        shown = {name: view.motion(name) for name in view.names}
    for limb in ("left_leg", "right_arm"):
        axis = hinges.hinge_axis(motion.skeleton, local, limb)
        assert hinges.flexion(motion.skeleton, local, limb, axis).min() < np.radians(-14)
        for motion_of_view in shown.values():
            assert hinges.flexion(motion.skeleton, motion_of_view.local_rotations, limb, axis).min() > np.radians(-0.5)
    far = bends > np.radians(45)
    np.testing.assert_allclose(shown["own"].local_rotations[far], local[far], atol=1e-6)
