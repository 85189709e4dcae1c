"""Match sets of a request: hubs in their order, thresholds that are dragged, and what cannot be a hub."""

import re
from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.graphs.view_measures import measure_view_points
from motionloom.methods.snap import GraphRequest, Hub, TakeFrame, resolve_hubs, suggest_hubs
from motionloom.methods.snap.author import hub_resolution
from motionloom.methods.snap.author.compared_view import frame_in_view, frame_of_take
from motionloom.methods.snap.author.hub_resolution import require_hubs, spacing_of, trade_off, why_nothing

LIKE = {"take": "figure_eight", "frame": 300}


def resolve(compared, **data):
    request = GraphRequest.from_data(data)
    return request, resolve_hubs(compared, request)


def apart(compared, frames):
    """Fewest frames between match frames of one take, and between them and its ends."""
    least = []
    for start, stop in zip(compared.view.starts[:-1], compared.view.starts[1:]):
        own = [frame for frame in frames if start <= frame < stop]
        least += [*np.diff(own), *(min(frame - start, stop - 1 - frame) for frame in own)]
    return min(least)


def test_frames_of_takes_and_of_the_view_lead_back_to_each_other(compared):
    for frame in (0, 17, compared.view.n_frames - 1):
        assert frame_in_view(compared.view, frame_of_take(compared.view, frame)) == frame


def test_a_set_like_a_frame_has_the_minima_of_its_slice_up_to_the_threshold(compared):
    _, (hub,) = resolve(compared, hubs=[{"like": LIKE, "threshold": 0.06}])
    measure = measure_view_points(compared.view)
    seed = frame_in_view(compared.view, TakeFrame(**LIKE))
    exact = measure.pairs(seed, hub.frames)
    assert len(hub.frames) >= 2
    np.testing.assert_allclose(hub.distances, exact, atol=1e-6)
    assert (exact <= 0.06).all()
    for beside in (-1, 1):
        assert (measure.pairs(seed, hub.frames + beside) >= exact).all()
    assert seed in hub.frames


def test_a_higher_threshold_only_adds_match_frames(compared):
    before: set[int] = set()
    sizes = []
    for threshold in np.linspace(0.02, compared.most, 6):
        _, (hub,) = resolve(compared, hubs=[{"like": LIKE, "threshold": float(threshold)}])
        assert before <= set(hub.frames.tolist())
        before = set(hub.frames.tolist())
        sizes.append(len(before))
    assert sizes[-1] > sizes[0]


def test_w_min_holds_between_match_frames_of_all_hubs_and_towards_the_ends_of_takes(compared):
    for w_min in (0.2, 0.5, 0.9):
        request, hubs = resolve(compared, w_min=w_min, hubs=[{"largest": True}, {"largest": True}, {"like": LIKE}])
        frames = sorted(frame for hub in hubs for frame in hub.frames.tolist())
        assert apart(compared, frames) >= spacing_of(request) == round(w_min * 60)


def test_the_largest_set_is_at_least_as_large_as_that_of_any_frame(compared):
    _, (largest,) = resolve(compared, hubs=[{"largest": True}])
    for frame in range(40, compared.view.n_frames - 40, 97):
        like = frame_of_take(compared.view, frame)
        _, (other,) = resolve(compared, hubs=[{"like": {"take": like.take, "frame": like.frame}}])
        assert len(other.frames) <= len(largest.frames)


def test_single_match_frames_are_added_and_dropped(compared):
    _, (plain,) = resolve(compared, hubs=[{"largest": True}])
    gone = frame_of_take(compared.view, plain.frames[1])
    wanted = (plain.frames[2] + plain.frames[3]) // 2 + 0  # half way between two of one take
    new = frame_of_take(compared.view, wanted)
    edits = {"drop": [{"take": gone.take, "frame": gone.frame}], "add": [{"take": new.take, "frame": new.frame}]}
    _, (hub,) = resolve(compared, w_min=0.2, hubs=[{"largest": True, **edits}])
    assert plain.frames[1] not in hub.frames
    assert wanted in hub.frames
    assert np.isnan(hub.distances[hub.frames.tolist().index(wanted)])


def test_nothing_is_compared_while_thresholds_are_dragged(compared, monkeypatch):
    from motionloom.similarity.point_cloud import PointClouds

    def refuse(*arguments, **options):
        raise AssertionError("compared again")

    monkeypatch.setattr(PointClouds, "pairs", refuse)
    monkeypatch.setattr(PointClouds, "squared_block", refuse)
    request, hubs = resolve(compared, hubs=[{"largest": True}, {"like": LIKE}])
    assert len(hubs[0].frames) > 2
    suggest_hubs(compared, request, taken=hubs[0].frames.tolist())


def test_the_trade_off_tells_what_resolving_would(compared):
    hub = Hub(like=TakeFrame(**LIKE))
    thresholds = np.linspace(0.01, compared.most, 5)
    for trade in trade_off(compared, GraphRequest(), hub, thresholds.tolist()):
        _, (resolved,) = resolve(compared, hubs=[{"like": LIKE, "threshold": trade.threshold}])
        if trade.match_frames > 1:
            assert trade.match_frames == len(resolved.frames)
            assert trade.mean_distance == pytest.approx(resolved.mean_distance)
        else:
            assert "matches nothing" in resolved.problem


def test_suggestions_are_ranked_and_leave_accepted_hubs_alone(compared):
    request, (first,) = resolve(compared, hubs=[{"largest": True}])
    found = suggest_hubs(compared, request, count=4)
    assert found[0].match_frames == len(first.frames) == sum(found[0].takes.values())
    sizes = [(-suggestion.match_frames, suggestion.mean_distance) for suggestion in found]
    assert sizes == sorted(sizes)
    second = suggest_hubs(compared, request, taken=first.frames.tolist(), count=1)[0]
    frames = [frame_in_view(compared.view, frame) for frame in second.frames]
    assert apart(compared, sorted([*first.frames.tolist(), *frames])) >= spacing_of(request)


@pytest.mark.parametrize("share", [0.3, 0.6, 1.0])
def test_every_suggestion_can_be_a_hub_with_its_own_threshold(compared, share):
    request = GraphRequest(threshold=float(share * compared.most), hubs=())
    found = suggest_hubs(compared, request, count=6)
    assert found
    for suggestion in found:
        assert suggestion.threshold <= request.threshold
        tried = replace(request, hubs=(Hub(like=suggestion.seed, threshold=suggestion.threshold),))
        (hub,) = resolve_hubs(compared, tried)
        assert not hub.problem and len(hub.frames) == suggestion.match_frames
        assert sorted(frame_in_view(compared.view, frame) for frame in suggestion.frames) == hub.frames.tolist()


def test_a_threshold_at_which_a_set_can_be_no_hub_is_lowered_until_it_can(compared, monkeypatch):
    request, real = GraphRequest(hubs=()), hub_resolution._resolve
    usual = suggest_hubs(compared, request, count=1)[0]

    def collide(view, request, name, hub, taken):
        found = real(view, request, name, hub, taken)
        return replace(found, problem="frames collide") if hub.threshold > 0.8 * usual.threshold else found

    monkeypatch.setattr(hub_resolution, "_resolve", collide)
    lowered = suggest_hubs(compared, request, count=1)[0]
    assert lowered.threshold == pytest.approx(0.85**2 * usual.threshold)
    assert lowered.match_frames <= usual.match_frames


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"hubs": [{"frames": [LIKE]}]}, "a match set of 1 frame; a hub needs at least 2"),
        (
            {"hubs": [{"frames": [LIKE, {"take": "figure_eight", "frame": 310}]}]},
            r"figure_eight frame 300 and walk/figure_eight frame 310 are 10 frames apart; .* needs at least 30",
        ),
        ({"hubs": [{"frames": [LIKE, {"take": "figure_eight", "frame": 5}]}]}, "frame 5 is 5 frames from an end"),
        (
            {"hubs": [{"frames": [LIKE, {"take": "figure_eight", "frame": 99999}]}]},
            r"frame 99999 is out of range: take ",
        ),
        ({"hubs": [{"frames": [LIKE, {"take": "nobody", "frame": 5}]}]}, "no take 'nobody'"),
        ({"hubs": [{"frames": [LIKE, {"take": "figure_eight", "frame": 1}]}]}, "frame 1 is 1 frame from an end"),
        ({"hubs": [{"like": LIKE, "threshold": 1e-6}]}, "matches nothing to .*: the nearest is 0.0.* away"),
        ({"hubs": [{"largest": True, "threshold": 1e-6}]}, "matches nothing: no two frames"),
        ({"hubs": [{"largest": True, "threshold": 5.0}]}, "matches too much: 100 % of all pairs"),
        ({"w_min": 8.5, "hubs": [{"largest": True}]}, "lower w_min: 8.5 s leaves .* % of the frames"),
        ({"w_min": 10, "hubs": [{"largest": True}]}, "every clip would be shorter than its displacement map"),
    ],
)
def test_what_cannot_be_a_hub_says_why_in_one_sentence(compared, data, problem):
    _, hubs = resolve(compared, **data)
    assert len(hubs[0].frames) == 0
    with pytest.raises(BadInput, match=f"hub 1: .*{problem}") as caught:
        require_hubs(hubs)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"w_min": 10}, "every clip would be shorter than its displacement map"),
        ({"w_min": 8.5}, "lower w_min: 8.5 s leaves"),
        ({"threshold": 1e-6}, "raise the threshold; .* m is usual here"),
    ],
)
def test_where_there_is_nothing_to_suggest_it_says_what_would_help(compared, data, sentence):
    request = GraphRequest.from_data(data)
    assert not suggest_hubs(compared, request)
    assert re.search(sentence, why_nothing(compared, request))


@pytest.mark.parametrize(("w_min", "fps", "frames"), [(0.01, 60, 9), (0.5, 60, 30), (0.5, 5, 5), (0.01, 1000, 150)])
def test_match_frames_are_never_nearer_than_displacement_maps_are_long(w_min, fps, frames):
    assert spacing_of(GraphRequest(w_min=w_min, fps=fps)) == frames


def test_a_hub_that_cannot_be_takes_nothing_from_the_others(compared):
    _, alone = resolve(compared, hubs=[{"largest": True}])
    _, hubs = resolve(compared, hubs=[{"frames": [LIKE]}, {"largest": True}])
    assert hubs[0].problem
    np.testing.assert_array_equal(hubs[1].frames, alone[0].frames)


def test_a_frame_has_one_pose(compared):
    _, (first,) = resolve(compared, hubs=[{"largest": True}])
    taken = [frame_of_take(compared.view, frame) for frame in first.frames[:2]]
    again = [{"take": frame.take, "frame": frame.frame} for frame in taken]
    _, hubs = resolve(compared, hubs=[{"largest": True}, {"frames": again}])
    assert "is a match frame of another hub" in hubs[1].problem


def test_a_graph_without_hubs_is_refused():
    with pytest.raises(BadInput, match="without hubs"):
        require_hubs([])
