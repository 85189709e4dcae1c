"""The player against playing by hand: clips put one after another with `compose`."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput, Unsatisfiable
from motionloom.methods.snap.graph.clip_controls import Control
from motionloom.methods.snap.graph.hub_graph import Action
from motionloom.methods.snap.play.planner import Planner
from motionloom.methods.snap.play.player import Event, Player, State, begin, step
from motionloom.motion import Placement, place, rotations
from motionloom.motion.placement import compose


def play_by_hand(graph, clips, placement):
    """Root positions (F, 3) and local rotations (F, J, 4) of clips, each placed where the one before it ends."""
    roots, turns = [], []
    for clip in clips:
        placed = place(graph.clip_motion(clip), placement)
        roots.append(placed.root_positions)
        turns.append(placed.local_rotations)
        placement = compose(placement, graph.placement(clip))
    return np.concatenate(roots), np.concatenate(turns)


def random_walk(graph, rng, count, node=0):
    clips = []
    while len(clips) < count and graph.leaving[node]:
        clips.append(int(rng.choice(graph.leaving[node])))
        node = graph.clips[clips[-1]].target
    return clips


def record(player, frames):
    poses = []
    for _ in range(frames):
        player.step()
        poses.append(player.pose())
    roots = np.array([(pose.x, pose.y, pose.z) for pose in poses])
    turns = np.array([np.vstack([pose.rotation, pose.joints]) for pose in poses])
    return roots, turns


def played(player, clips):
    """The clips that begin next."""
    begun = []
    while len(begun) < clips and not player.is_ended:
        player.step()
        begun += [event.clips[0] for event in player.take_events() if event.kind == "clip"]
    return begun


@pytest.mark.parametrize("seed", range(4))
def test_the_player_plays_what_is_put_together_by_hand(hub_graphs, seed):
    rng = np.random.default_rng(seed)
    graph = hub_graphs(seed, hubs=3, clips=12)
    placement = Placement(float(rng.uniform(-3, 3)), rng.normal(size=2))
    clips = random_walk(graph, rng, 40)
    roots, turns = play_by_hand(graph, clips, placement)
    player = Player(graph, 0, placement)
    player.follow(clips)
    found, found_turns = record(player, len(roots))
    np.testing.assert_allclose(found, roots, atol=1e-9)
    assert rotations.angle_between(found_turns, turns).max() < 1e-6


def test_a_buffer_gets_the_same_pose(hub_graphs):
    graph = hub_graphs(1)
    player = Player(graph, placement=Placement(0.7, np.array([1.0, -2.0])))
    buffer = np.zeros(3 + 4 * graph.skeleton.n_joints, np.float32)
    for _ in range(100):
        player.step()
        player.write_into(buffer)
        pose = player.pose()
        np.testing.assert_allclose(buffer[:3], (pose.x, pose.y, pose.z), rtol=1e-6)
        np.testing.assert_allclose(buffer[3:].reshape(-1, 4), np.vstack([pose.rotation, pose.joints]), atol=1e-6)


def test_a_step_has_no_hidden_state(hub_graphs):
    graph = hub_graphs(4, hubs=3, clips=12)
    planner, control = Planner(graph), Control(speed=1.0, heading=0.5)
    states = [begin(planner)]
    for _ in range(300):
        states.append(step(planner, states[-1], control)[0])
    rng = np.random.default_rng(0)
    for k in rng.permutation(300):  # in any order, and with a planner of its own
        assert step(Planner(graph) if k < 3 else planner, states[k], control)[0] == states[k + 1]
    player = Player(graph)
    player.steer(control)
    for state in states[1:]:
        player.step()
        assert player.state == state


def test_nothing_of_the_graph_is_changed_by_playing(hub_graphs):
    graph = hub_graphs(1)
    before = graph.frames.copy()
    record(Player(graph), 200)
    np.testing.assert_array_equal(graph.frames, before)


def test_a_choice_is_announced_before_it_is_due_and_what_is_chosen_then_is_played(hub_graphs):
    graph = hub_graphs(2, hubs=2, clips=10)
    rng = np.random.default_rng(3)
    wanted, events = [], []

    def choose(event: Event) -> None:
        events.append(event)
        if event.kind == "choice":
            assert event.clips == graph.leaving[event.node]
            wanted.append(int(rng.choice(event.clips)))
            player.follow([wanted[-1]])

    player = Player(graph, on_event=choose)
    assert played(player, 30) == wanted
    assert [event.kind for event in events] == ["choice", "clip"] * 30
    for choice, clip in zip(events[::2], events[1::2]):
        assert choice.node == clip.node
        assert graph.clips[clip.clips[0]].source == choice.node


def test_events_that_nobody_takes_do_not_pile_up(hub_graphs):
    player = Player(hub_graphs(2, lengths=(1, 2)))
    for _ in range(3000):
        player.step()
    assert len(player.take_events()) == 256
    assert player.take_events() == []


def test_a_dead_end_is_announced_once_and_holds_the_last_pose(hub_graphs):
    graph = hub_graphs(2, takes=1)
    end = next(c for c, clip in enumerate(graph.clips) if graph.nodes[clip.target].kind == "end")
    player = Player(graph, graph.clips[end].name)
    record(player, graph.clips[end].n_frames)
    last = player.pose()
    assert not player.is_ended
    player.take_events()
    for _ in range(5):
        player.step()
        assert player.pose()[:4] == last[:4]
    assert player.is_ended
    assert player.take_events() == [Event("end", graph.clips[end].target, ())]
    planner = player.planner
    assert step(planner, player.state, Control())[0] == player.state


def test_it_never_runs_into_a_dead_end_by_itself(hub_graphs):
    for seed in range(5):
        player = Player(hub_graphs(seed, takes=3))
        assert len(played(player, 60)) == 60
        player.steer(speed=2.0, turn=0.3)
        assert len(played(player, 60)) == 60


def test_it_goes_on_as_recorded_where_nothing_is_wished_for(hub_graphs):
    graph = hub_graphs(3, hubs=2, edges=[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)])
    begins = {0: ("b", 0, 9), 1: ("a", 0, 9), 2: ("a", 30, 40), 3: ("a", 9, 30), 4: ("a", 40, 60)}
    clips = [replace(c, motion=m, start=i, stop=j) for c, (m, i, j) in zip(graph.clips, begins.values())]
    player = Player(replace(graph, clips=tuple(clips)), graph.clips[1].name)
    assert played(player, 2) == [1, 3]  # [0, 9) then [9, 30) of the same motion; [30, 40) leaves another hub


def test_what_is_wished_for_holds_until_something_else_is(hub_graphs):
    graph = hub_graphs(7, hubs=1, clips=8)
    player = Player(graph)
    controls = player.planner.controls
    left, right = int(controls.turn.argmax()), int(controls.turn.argmin())
    player.steer(turn=float(controls.turn[left]))
    assert played(player, 5) == [left] * 5
    player.steer(turn=float(controls.turn[right]))
    assert played(player, 5) == [right] * 5
    player.choose(graph.clips[left].name)
    assert played(player, 3) == [left, right, right]  # once, and then what was wished for before


def test_a_heading_is_turned_towards_and_then_kept(hub_graphs):
    graph = hub_graphs(11, hubs=1, clips=40)
    player = Player(graph)
    for heading in (0.0, 2.0, -3.1, 1.0):
        player.steer(heading=heading)
        played(player, 6)
        player.step()
        off = (player.state.heading + graph.placements[player.state.clip, 2] - heading + np.pi) % (2 * np.pi) - np.pi
        assert abs(off) < 0.3


def test_an_action_that_is_not_offered_here_is_gone_to(hub_graphs):
    graph = hub_graphs(3, hubs=3, edges=[(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 0)])
    graph = replace(graph, actions=(Action("kick", (4,)), Action("rest", (0,))))
    player = Player(graph, 0)
    assert player.choose("kick") == (1, 3, 4)
    assert played(player, 3) == [1, 3, 4]
    player.steer(word="rest")
    assert played(player, 4) == [5, 0, 0, 0]


def test_words_that_mean_nothing_or_cannot_be_reached_are_refused(hub_graphs):
    graph = hub_graphs(3, hubs=2, edges=[(0, 0), (0, 1), (1, 1)])
    graph = replace(graph, actions=(Action("back", (0,)),))
    player = Player(graph, 1)
    with pytest.raises(BadInput, match="no clip 'dance' in the graph"):
        player.choose("dance")
    with pytest.raises(BadInput, match="no clip 'dance' in the graph"):
        player.steer(word="dance")
    with pytest.raises(Unsatisfiable, match="no way from node 'hub 1' to 'back'"):
        player.choose("back")
    player.steer(word="back")  # may become possible; until then it goes on
    assert played(player, 3) == [2, 2, 2]
    with pytest.raises(BadInput, match="clip 0 does not leave node 'hub 1'"):
        player.follow([0])
    with pytest.raises(BadInput, match="node 9 is out of range: the graph has"):
        Player(graph, 9)


def test_it_begins_at_the_given_place(hub_graphs):
    graph = hub_graphs(3, hubs=2, takes=1)
    assert Player(graph).state == State(0, -1, 0, 0.0, 0.0, 0.0)
    assert Player(graph, "hub 1").state.node == 1
    named = Player(graph, graph.clips[5].name)
    assert played(named, 1) == [5]
    with pytest.raises(BadInput, match="no clip leaves node 'end of take 0'"):
        Player(graph, "end of take 0")
    waiting = Player(graph, 1, Placement(0.3, np.array([2.0, 1.0]))).pose()
    assert (waiting.x, waiting.z) == pytest.approx((2.0, 1.0))
    np.testing.assert_array_equal(waiting.joints, graph.hub_frames[1, 1, 7:].reshape(-1, 4))


def test_a_character_goes_to_a_place(hub_graphs):
    graph = hub_graphs(9, hubs=2, clips=10)
    player = Player(graph)
    played(player, 3)
    walk = player.go_to([2.0, -1.5], tolerance=0.3)
    assert walk.is_reached
    assert played(player, len(walk.clips)) == list(walk.clips)
    while player.frames_to_choice > 1:
        player.step()
    player.step()
    assert np.hypot(player.state.x - 2.0, player.state.z + 1.5) == pytest.approx(walk.distance, abs=1e-9)
    assert walk.distance <= 0.3


def test_two_characters_share_one_planner(hub_graphs):
    planner = Planner(hub_graphs(9))
    pair = [Player(planner, placement=Placement(0.0, np.array([x, 0.0]))) for x in (-1.0, 1.0)]
    pair[1].steer(turn=1.0)
    alone = Player(planner, placement=Placement(0.0, np.array([-1.0, 0.0])))
    for _ in range(200):
        for player in (*pair, alone):
            player.step()
        assert pair[0].pose()[:4] == alone.pose()[:4]


def test_contacts_are_those_of_the_frame_shown(hub_graphs):
    graph = hub_graphs(9)
    player = Player(graph, graph.clips[2].name)
    for row in itertools.islice(range(*graph.clip_starts[2:4]), 5):
        player.step()
        np.testing.assert_array_equal(player.contacts, graph.contacts[row])


def test_what_feet_stand_on_goes_with_the_character(hub_graphs):
    graph = hub_graphs(5, hubs=2, clips=6, steps=3)
    player = Player(graph, 0, Placement(0.4, np.array([1.0, 2.0])))
    seen = 0
    for _ in range(200):
        player.step()
        state = player.state
        wanted = graph.footing(state.clip).moved(Placement(state.heading, np.array([state.x, state.z])))
        assert player.footing == wanted
        seen += bool(wanted.supports)
    assert seen > 50


def test_before_the_first_clip_it_is_that_of_a_clip_to_come(hub_graphs):
    graph = hub_graphs(5, hubs=2, clips=6, steps=3)
    assert Player(graph, 1).footing == graph.footing(graph.leaving[1][0])
