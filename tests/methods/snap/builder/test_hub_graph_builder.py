"""Building: one stored pose for all clips of a hub, equal velocities, calm joins, feet that stand, linked hubs."""

import numpy as np
import pytest

from motionloom.conform import ViewSettings, make_view
from motionloom.errors import BadInput
from motionloom.features.feet import foot_points
from motionloom.graphs.view_measures import measure_view_points, whole_motion
from motionloom.methods.snap.author.match_sets import AcceptedSet, suggest_sets
from motionloom.methods.snap.builder.hub_graph_builder import BuildSettings, build
from motionloom.methods.snap.builder.hub_poses import learn_feet
from motionloom.methods.snap.builder.roughness import join_roughness, learn_bar
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.motion import compose, invert, kinematics, place, rotations
from motionloom.motion.motion import concatenate, cut
from motionloom.motion.placement import Placement
from motionloom.similarity import default_threshold
from motionloom.similarity.slice_minima import find_slice_minima

SETTINGS = BuildSettings()


def suggested(view, measure, count: int, factor: float) -> list[AcceptedSet]:
    """The largest match sets, one after another."""
    threshold = factor * default_threshold(measure)
    minima = find_slice_minima(measure, threshold)
    hubs: list[AcceptedSet] = []
    for number in range(count):
        taken = [int(frame) for hub in hubs for frame in hub.frames]
        found = suggest_sets(minima, view.starts, threshold, spacing=SETTINGS.spacing(view.fps), taken=taken, count=1)
        hubs.append(AcceptedSet(f"hub {number}", found[0].frames))
    return hubs


@pytest.fixture(scope="module")
def fight(tmp_path_factory, make):
    """Two stances with what leads from each to itself and to the other."""
    corpus = make.demo_corpus(tmp_path_factory.mktemp("fight") / "corpus", ["fight/switches"])
    view = make_view(corpus, corpus.names())
    measure = measure_view_points(view)
    hubs = suggested(view, measure, 2, 1.5)
    return view, hubs, build(view, hubs, measure=measure)


@pytest.fixture(scope="module")
def idle(tmp_path_factory, make):
    """People who stand about: feet are planted all the time, so every hub is linked with every other."""
    corpus = make.demo_corpus(tmp_path_factory.mktemp("idle") / "corpus", ["idle/weight_shifts", "idle/toe_taps"])
    view = make_view(corpus, corpus.names())
    measure = measure_view_points(view)
    hubs = suggested(view, measure, 3, 2.0)
    return view, hubs, build(view, hubs, measure=measure)


@pytest.fixture(scope="module", params=["fight", "idle"])
def made(request):
    return request.getfixturevalue(request.param)


def joins(graph: HubGraph):
    """Every pair of clips that can meet: number of the hub, the clips, both played, and the frame of the cut."""
    for hub in range(graph.n_hubs):
        for before in graph.entering[hub]:
            for after in graph.leaving[hub]:
                first = graph.clip_motion(before)
                joined = concatenate([first, place(graph.clip_motion(after), graph.placement(before))])
                yield hub, before, after, joined, first.n_frames


def test_all_clips_of_a_hub_begin_with_the_same_bits(made):
    graph = made[2].graph
    for number, clip in enumerate(graph.clips):
        if clip.source < graph.n_hubs:
            start = graph.clip_starts[number]
            assert graph.frames[start].tobytes() == graph.hub_frames[clip.source, 1].tobytes()
            assert graph.frames[start + 1].tobytes() == graph.hub_frames[clip.source, 2].tobytes()
    for hub in range(graph.n_hubs):
        at = graph.hub_motion(hub)
        assert np.abs(at.root_positions[1, [0, 2]]).max() < 0.03  # over its own origin
        facing = rotations.rotate(at.local_rotations[1, 0], np.array([0.0, 0.0, 1.0]))
        assert abs(np.degrees(np.arctan2(facing[0], facing[2]))) < 5


def test_every_frame_of_every_take_is_in_one_clip(made):
    view, _, built = made
    graph = built.graph
    for name in view.names:
        own = sorted((clip.start, clip.stop) for clip in graph.clips if clip.motion == name)
        start, stop = view.range_of(name)
        assert own[0][0] == 0 and own[-1][1] == stop - start
        assert all(one[1] == other[0] for one, other in zip(own, own[1:]))
    assert graph.n_frames == view.n_frames


def test_clips_border_on_match_frames_and_on_the_ends_of_takes(made):
    view, hubs, built = made
    graph = built.graph
    matches = {int(frame): hub for hub, match_set in enumerate(hubs) for frame in match_set.frames}
    dropped = len(built.report.dropped)
    used = 0
    for clip in graph.clips:
        start, stop = view.range_of(clip.motion)
        if graph.nodes[clip.source].kind == "hub":
            assert matches[start + clip.start] == clip.source
            used += 1
        else:
            assert clip.start == 0 and graph.nodes[clip.source].kind == "start"
        if graph.nodes[clip.target].kind == "end":
            assert start + clip.stop == stop
    assert used == len(matches) - dropped


def test_velocities_at_match_frames_are_the_hubs(made):
    graph = made[2].graph
    for hub, before, after, joined, at in joins(graph):
        if graph.clips[before].stop != graph.clips[after].start:
            continue
        own = kinematics.world_positions(cut(joined, at - 1, at + 2))
        wanted = kinematics.world_positions(place(graph.hub_motion(hub), graph.placement(before)))
        np.testing.assert_allclose(own, wanted, atol=2e-6)


def test_joins_of_all_pairs_are_as_calm_as_the_takes_in_their_calmest_nine_tenths(made):
    view, _, built = made
    bar = learn_bar([view.motion(name) for name in view.names])
    rough = {note.split(":")[0] for note in built.report.notes}
    excesses = [(hub, join_roughness(joined, at).excess(bar)) for hub, _, _, joined, at in joins(built.graph)]
    calm = [excess for hub, excess in excesses if built.graph.nodes[hub].name not in rough]
    assert len(calm) >= 4 and max(calm) <= 1 + 1e-3  # frames are stored in single precision
    assert len(rough) < built.graph.n_hubs


def test_rough_match_frames_are_left_out_unless_somebody_wants_them(fight):
    view, hubs, _ = fight
    wild = AcceptedSet(
        "wild", np.array([hubs[0].frames[0], hubs[0].frames[1] + 12, hubs[0].frames[2], hubs[0].frames[3]])
    )
    calm = build(view, [wild])
    assert any(sentence.startswith("wild: fight/switches, frame") for sentence in calm.report.dropped)
    assert calm.report.hubs[0].match_frames == 4 - len(calm.report.dropped)
    all_of_them = build(view, [wild], BuildSettings(drops_rough=False))
    assert all_of_them.report.hubs[0].match_frames == 4 and not all_of_them.report.dropped
    assert "rough as the takes are" in all_of_them.report.notes[0]


def test_planted_feet_stand_inside_clips_and_across_all_joins(made):
    view, _, built = made
    graph = built.graph
    heels = learn_feet(whole_motion(view), view.source_contacts).heels
    for _, before, after, joined, _ in joins(graph):
        flags = np.concatenate([graph.contacts[slice(*graph.clip_starts[c : c + 2])] for c in (before, after)])
        steps = np.linalg.norm(np.diff(foot_points(joined, 0.0, heels=heels), axis=0), axis=-1)
        assert steps[flags[1:] & flags[:-1]].max(initial=0.0) < 1e-4
        assert (flags[:, :] == np.array(graph.nodes[graph.clips[after].source].planted))[
            len(flags) - graph.clips[after].n_frames
        ].all()


def test_feet_that_cannot_stand_where_hubs_want_them_are_reported(tmp_path, make):
    corpus = make.demo_corpus(tmp_path / "corpus", ["walk/stop_and_go"])
    view = make_view(corpus, corpus.names(), ViewSettings(fps=10))
    hub = AcceptedSet("anything", np.array([21, 41, 56, 81, 101, 116, 121, 126]))
    report = build(view, [hub], BuildSettings(drops_rough=False)).report
    assert report.planted_step_mm > 1
    assert any("walk/stop_and_go: planted feet slide by up to" in note for note in report.notes)


def test_placements_lead_from_where_a_clip_begins_to_where_the_next_one_does(fight):
    view, _, built = fight
    graph = built.graph
    name = view.names[0]
    order = sorted((c for c, clip in enumerate(graph.clips) if clip.motion == name), key=lambda c: graph.clips[c].start)
    world, played = Placement.none(), []
    for number in order:
        played.append(place(graph.clip_motion(number), world))
        world = compose(world, graph.placement(number))
    whole = concatenate(played)
    take = view.motion(name)
    back = invert(
        Placement(
            float(np.arctan2(*rotations.rotate(take.local_rotations[0, 0], np.array([0, 0, 1.0]))[[0, 2]])),
            take.root_positions[0, [0, 2]],
        )
    )
    recorded = kinematics.world_positions(place(take, back))
    away = np.linalg.norm(kinematics.world_positions(whole) - recorded, axis=-1)
    assert away.mean() < 0.02 and away.max() < 0.2  # bent, but along the recording and not away from it
    assert built.report.mean_displacement == pytest.approx(away.mean(), rel=0.05)


def test_bones_keep_their_lengths(made):
    graph = made[2].graph
    skeleton = graph.skeleton
    for number in range(0, len(graph.clips), 5):
        positions = kinematics.world_positions(graph.clip_motion(number))
        for joint in range(1, skeleton.n_joints):
            lengths = np.linalg.norm(positions[:, joint] - positions[:, skeleton.parents[joint]], axis=-1)
            np.testing.assert_allclose(lengths, np.linalg.norm(skeleton.offsets[joint]), atol=1e-9)


def test_in_an_idle_set_every_hub_is_linked_and_shares_its_stance(idle):
    view, hubs, built = idle
    assert built.report.classes == (tuple(hub.name for hub in hubs),)
    graph = built.graph
    heels = learn_feet(whole_motion(view), view.source_contacts).heels
    points = [foot_points(graph.hub_motion(hub), 0.0, heels=heels)[1][:, [0, 2]] for hub in range(graph.n_hubs)]
    shapes = [np.linalg.norm(body[:, None] - body[None], axis=-1) for body in points]
    for shape in shapes[1:]:
        np.testing.assert_allclose(shape, shapes[0], atol=1e-5)


def test_the_two_hubs_of_a_fight_are_the_two_stances(fight):
    _, _, built = fight
    leads = []
    for hub in range(2):
        positions = kinematics.world_positions(built.graph.hub_motion(hub))[1]
        skeleton = built.graph.skeleton
        leads.append(positions[skeleton.index("left_foot"), 2] - positions[skeleton.index("right_foot"), 2])
    assert min(leads) < -0.1 and max(leads) > 0.1
    ways = {(clip.source, clip.target) for clip in built.graph.clips}
    assert {(0, 1), (1, 0)} <= ways


def test_building_again_gives_the_same_bits(fight):
    view, hubs, built = fight
    again = build(view, hubs)
    for name, array in built.graph.to_arrays().items():
        np.testing.assert_array_equal(again.graph.to_arrays()[name], array)


def test_a_graph_that_is_kept_as_arrays_comes_back(fight):
    graph = fight[2].graph
    again = HubGraph.from_arrays(graph.to_arrays(), graph.skeleton)
    assert again.nodes == graph.nodes and again.clips == graph.clips and again.fps == graph.fps
    np.testing.assert_array_equal(again.frames, graph.frames)


def test_without_hubs_every_take_is_one_clip(fight):
    view = fight[0]
    graph = build(view, []).graph
    assert graph.n_hubs == 0 and [node.kind for node in graph.nodes] == ["start", "end"]
    assert [(clip.start, clip.stop) for clip in graph.clips] == [(0, view.n_frames)]


@pytest.mark.parametrize(
    ("frames", "sentence"),
    [([200], "a match set of 1 frame"), ([200, 210], "10 frames apart"), ([5, 200], "from an end of its take")],
)
def test_what_cannot_be_built_is_refused_before_anything_is(fight, frames, sentence):
    with pytest.raises(BadInput, match=sentence):
        build(fight[0], [AcceptedSet("bad", np.array(frames))])


def test_progress_reaches_its_end_and_whoever_wants_no_more_stops_it(fight):
    view, hubs, _ = fight
    reported: list[tuple[int, int]] = []
    build(view, hubs, progress=lambda done, total: reported.append((done, total)))
    assert reported[-1][0] == reported[-1][1] and [done for done, _ in reported] == sorted(done for done, _ in reported)

    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        build(view, hubs, progress=stop)
