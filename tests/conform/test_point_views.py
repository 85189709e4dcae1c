"""Point views: markers that takes share, one rate, head motion off and on, and what is left out."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.caching import Kind
from motionloom.conform import Origin, PointViewSettings, make_point_view, point_view_builder
from motionloom.corpus import Corpus, Label
from motionloom.errors import BadInput
from motionloom.formats.take import Source, Take
from motionloom.motion import Placement, PointMotion, place_points, resample_points, rotations
from motionloom.motion.head_motion import HeadMotion, put_on_head, take_off_head
from motionloom.performer.face.markers import NAMES, NEUTRAL

SOURCE = Source("x", "npz", "", 60.0, 1.0)
LIVELY = [number for number, name in enumerate(NAMES) if "lip" in name or "mouth" in name or name == "chin"]


def face(seed: int, n_frames: int = 120, fps: float = 60.0) -> PointMotion:
    """A face whose mouth moves by a centimetre, on a head that sways."""
    rng = np.random.default_rng(seed)
    times = np.arange(n_frames)[:, None, None] / fps
    reach = np.full((len(NAMES), 1), 2e-4)
    reach[LIVELY] = 0.01
    waves = np.sin(times * rng.uniform(2, 9, (1, len(NAMES), 3)) + rng.uniform(0, 6, (1, len(NAMES), 3)))
    sway = 0.1 * np.sin(times[:, 0] * rng.uniform(0.5, 2, 3) + rng.uniform(0, 6, 3))
    still = PointMotion(NAMES, NEUTRAL / 1000 + waves * reach, fps)
    return put_on_head(still, HeadMotion(0.3 * sway[:, ::-1] + [0, 1.2, 0], rotations.exp(sway)))


def with_gap(points: PointMotion, marker: str, start: int, stop: int) -> PointMotion:
    positions = points.positions.copy()
    positions[start:stop, points.names.index(marker)] = np.nan
    return replace(points, positions=positions)


def without(points: PointMotion, *markers: str) -> PointMotion:
    kept = [number for number, name in enumerate(points.names) if name not in markers]
    return PointMotion(tuple(points.names[number] for number in kept), points.positions[:, kept], points.fps)


@pytest.fixture
def corpus(tmp_path):
    """Three takes of faces, one of them at 120 frames per second, and one of two markers of something else."""
    with Corpus.create(tmp_path / "corpus") as corpus:
        for seed, name in enumerate(("a", "b")):
            corpus.add(Take(f"face/{name}", face(seed), SOURCE))
        corpus.add(Take("face/fast", face(2, 241, 120.0), SOURCE))
        corpus.add(Take("box", PointMotion(("one", "two"), np.zeros((30, 2, 3)), 60.0), SOURCE))
        yield corpus


def test_takes_are_shown_with_the_markers_they_share_at_one_rate(corpus):
    corpus.add(Take("face/less", without(face(3), "chin", "nose_tip"), SOURCE))
    view = make_point_view(corpus, ["face/a", "face/fast", "face/less"], PointViewSettings(fps=30.0))
    assert view.markers == tuple(name for name in NAMES if name not in ("chin", "nose_tip"))
    assert view.names == ("face/a", "face/fast", "face/less") and not view.left_out
    assert view.positions.shape == (60 + 61 + 60, 38, 3) and view.positions.dtype == np.float32
    assert view.range_of("face/fast") == (60, 121)
    assert view.origin(61) == Origin("face/fast", 4.0, False)


def test_head_motion_put_back_is_the_recording(corpus):
    view = make_point_view(corpus, ["face/a", "face/fast"])
    for name in view.names:
        recorded = corpus.take(name).motion
        recorded = recorded if recorded.fps == 60 else resample_points(recorded, 60.0)
        np.testing.assert_allclose(view.with_head(name).positions, recorded.positions, atol=1e-6)
    still, head = take_off_head(view.with_head("face/a"), view.rest, view.steady)
    np.testing.assert_allclose(still.positions, view.motion("face/a").positions, atol=1e-6)
    np.testing.assert_allclose(head.positions, view.head("face/a").positions, atol=1e-6)


def test_the_head_is_steady_and_what_it_is_found_by_is_not_the_mouth(corpus):
    view = make_point_view(corpus, ["face/a", "face/b"])
    assert not set(view.steady) & set(LIVELY) and len(view.steady) == 10
    assert np.nanstd(view.positions[:, view.steady], axis=0).max() < 3e-4
    assert view.has_front and view.has_head
    assert "10 steady markers" in view.describe_head()
    np.testing.assert_allclose(view.rest.mean(axis=0), 0.0, atol=1e-9)
    apart = [np.linalg.norm(points[:, None] - points, axis=-1) for points in (view.rest, NEUTRAL / 1000)]
    np.testing.assert_allclose(apart[0], apart[1], atol=5e-3)
    tilt = rotations.rotate(view.head_rotations.astype(float), np.array([0.0, 1.0, 0.0])).mean(axis=0)
    np.testing.assert_allclose(tilt / np.linalg.norm(tilt), [0, 1, 0], atol=1e-2)  # upright on average


def test_takes_that_are_recorded_elsewhere_are_the_same_on_the_head(corpus, tmp_path):
    view = make_point_view(corpus, ["face/a", "face/b"])
    with Corpus.create(tmp_path / "elsewhere") as elsewhere:
        for name, heading in (("face/a", 2.0), ("face/b", -1.0)):
            motion = corpus.take(name).motion
            placed = place_points(np.array(motion.positions, float), Placement(heading, np.array([3.0, -1.0])))
            elsewhere.add(Take(name, replace(motion, positions=placed), SOURCE))
        moved = make_point_view(elsewhere, ["face/a", "face/b"])
    np.testing.assert_array_equal(moved.steady, view.steady)
    np.testing.assert_allclose(moved.positions, view.positions, atol=2e-5)  # recordings are kept as float32


def test_gaps_stay_gaps_and_the_head_is_found_without_what_is_missing(corpus):
    whole = face(5, 241, 120.0)
    corpus.add(Take("face/whole", whole, SOURCE))
    corpus.add(Take("face/gaps", with_gap(with_gap(whole, "left_ear", 20, 81), "chin", 30, 41), SOURCE))
    view = make_point_view(corpus, ["face/a", "face/whole", "face/gaps"])
    assert "left_ear" in [view.markers[marker] for marker in view.steady]
    found, expected = view.motion("face/gaps").positions, view.motion("face/whole").positions
    missing = np.isnan(found).all(axis=-1)
    assert np.flatnonzero(missing[:, NAMES.index("left_ear")]).tolist() == list(range(10, 41))
    assert np.flatnonzero(missing[:, NAMES.index("chin")]).tolist() == list(range(15, 21))
    assert missing.sum() == 31 + 6
    np.testing.assert_allclose(found[~missing], expected[~missing], atol=5e-4)


def test_takes_of_other_markers_and_bodies_are_left_out_with_the_reason(corpus, make):
    corpus.add(Take("body", make.motion(n_frames=10), SOURCE), floor_height=0.0)
    corpus.add(Take("face/half", without(face(4), *NAMES[10:]), SOURCE))
    unseen = PointMotion(("three", "four"), np.full((30, 2, 3), [[[np.nan] * 3, [0.0, 1, 0]]]), 60.0)
    corpus.add(Take("unseen", unseen, SOURCE))
    view = make_point_view(corpus, ["face/a", "body", "box", "face/b", "face/half", "unseen"])
    assert view.names == ("face/a", "face/b") and view.markers == NAMES
    assert {left.take: left.reason for left in view.left_out} == {
        "body": "it is a body and has no markers",
        "box": "it has none of the 40 markers of face/b, but one, two",
        "face/half": "it has 10 of the 40 markers of face/b, but forehead_top, forehead_middle, glabella, nose_bridge, "
        "nose_tip and 5 more",
        "unseen": "it has none of the 40 markers of face/b, but four",
    }
    assert [left.take for left in make_point_view(corpus).left_out] == ["box", "face/half", "unseen"]


def test_a_take_in_another_unit_is_left_out_with_its_size(corpus):
    huge = face(7)
    corpus.add(Take("face/huge", replace(huge, positions=100 * huge.positions), SOURCE))
    view = make_point_view(corpus, ["face/a", "face/b", "face/huge"])
    assert view.names == ("face/a", "face/b")
    assert view.left_out[0].reason == "it is 17.8 m large and the others 0.18 m; import it again with its unit"
    with pytest.raises(BadInput, match=r"face/huge is 17\.8 m large and face/a 0\.18 m; import one again"):
        make_point_view(corpus, ["face/a", "face/huge"])


def test_two_takes_of_different_markers_are_refused_in_a_sentence(corpus):
    with pytest.raises(BadInput, match=r"face/a and box share too few markers .*forehead_top.*other one, two;"):
        make_point_view(corpus, ["face/a", "box"])


def test_markers_that_are_asked_for_must_be_seen_in_every_take(corpus):
    asked = ("chin", "nose_tip", "left_ear", "right_ear")
    view = make_point_view(corpus, ["face/a", "face/b"], PointViewSettings(markers=asked))
    assert view.markers == asked and view.positions.shape[1:] == (4, 3)
    with pytest.raises(BadInput, match="box: no marker 'chin' is seen in it; it has one, two"):
        make_point_view(corpus, ["face/a", "box"], PointViewSettings(markers=asked))
    corpus.add(Take("face/hidden", with_gap(face(6), "chin", 0, 120), SOURCE))
    with pytest.raises(BadInput, match="face/hidden: no marker 'chin' is seen in it"):
        make_point_view(corpus, ["face/hidden"], PointViewSettings(markers=asked))
    assert "chin" not in make_point_view(corpus, ["face/a", "face/hidden"]).markers
    for wrong in ((), ("chin", "chin")):
        with pytest.raises(BadInput, match="give at least one, and each once"):
            make_point_view(corpus, ["face/a"], PointViewSettings(markers=wrong))


def test_bodies_alone_rates_of_nothing_and_no_takes_are_refused(corpus, make):
    corpus.add(Take("body", make.motion(n_frames=10), SOURCE), floor_height=0.0)
    with pytest.raises(BadInput, match="body: bodies have no markers; choose takes of points"):
        make_point_view(corpus, ["body"])
    with pytest.raises(BadInput, match="no takes chosen for the view"):
        make_point_view(corpus, [])
    with pytest.raises(BadInput, match="above 0"):
        make_point_view(corpus, settings=PointViewSettings(fps=0.0))
    empty = PointMotion(("one",), np.full((30, 1, 3), np.nan), 60.0)
    corpus.add(Take("empty", empty, SOURCE))
    with pytest.raises(BadInput, match="empty: no marker is ever seen"):
        make_point_view(corpus, ["empty"])


@pytest.mark.parametrize("names", [("one",), ("one", "two"), ("one", "two", "three")])
def test_points_without_a_rigid_part_keep_their_motion(corpus, names):
    positions = np.random.default_rng(0).normal(size=(30, len(names), 3)).cumsum(axis=0)
    corpus.add(Take("loose", PointMotion(names, positions, 60.0), SOURCE))
    view = make_point_view(corpus, ["loose"])
    assert not view.has_head and view.describe_head() == "head motion stays in: no part of the markers is rigid"
    np.testing.assert_allclose(view.positions, positions, atol=1e-6)
    np.testing.assert_allclose(view.with_head("loose").positions, positions, atol=1e-6)
    np.testing.assert_allclose(view.rest, positions.mean(axis=0), atol=1e-6)


def test_labels_come_along_in_the_frames_of_the_view(corpus):
    corpus.add_labels([Label("face/fast", "smile", 20, 61)])
    view = make_point_view(corpus, ["face/a", "face/fast"])
    assert view.labels("face/fast") == [Label("face/fast", "smile", 10, 31)]


def test_a_point_view_is_made_once_and_what_is_made_of_it_too(corpus, monkeypatch):
    first = make_point_view(corpus, ["face/a", "face/b"])
    for name in ("find_rest", "take_off_head"):
        monkeypatch.setattr(point_view_builder, name, None)
    again = make_point_view(corpus, ["face/a", "face/b"])
    assert isinstance(again.positions, np.memmap) and again.key == first.key
    for array in ("positions", "head_positions", "head_rotations", "rest", "steady", "moves", "starts"):
        np.testing.assert_array_equal(getattr(again, array), getattr(first, array))
    corpus.rename("face/a", "face/c")
    assert make_point_view(corpus, ["face/b", "face/c"]).rest.tobytes() == first.rest.tobytes()


@pytest.mark.parametrize("change", ["rate", "takes", "markers", "code"])
def test_a_point_view_is_another_when_anything_it_depends_on_changes(corpus, monkeypatch, change):
    names, settings = ["face/a", "face/b"], PointViewSettings()
    key = make_point_view(corpus, names, settings).key
    if change == "takes":
        names = ["face/a"]
    elif change == "code":
        monkeypatch.setattr(Kind, "code_version", "other")
    elif change == "rate":
        settings = PointViewSettings(fps=30.0)
    else:
        settings = PointViewSettings(markers=NAMES[:20])
    assert make_point_view(corpus, names, settings).key != key
