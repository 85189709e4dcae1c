"""Names of clips, and the actions that labels propose."""

import re
from dataclasses import replace

import pytest

from motionloom.errors import BadInput
from motionloom.methods.snap import ClipsOfAction, GraphRequest, HubGraph, prepare
from motionloom.methods.snap.author.clip_names import (
    changing_actions,
    chosen_actions,
    main_labels,
    name_graph,
    proposed_actions,
)
from motionloom.methods.snap.graph.hub_graph import Clip


def clip(n_frames, **labels):
    return Clip("", 0, 0, "take", 0, n_frames, labels)


def test_the_label_that_names_a_clip_holds_there_more_than_elsewhere():
    clips = [clip(60, fight=1.0, punch=0.4), clip(60, fight=1.0, kick=0.5), clip(60, fight=1.0), clip(60)]
    assert main_labels(clips) == ["punch", "kick", "fight", None]


def test_a_label_that_hardly_holds_names_nothing():
    assert main_labels([clip(60, wave=0.1), clip(60, wave=0.9)]) == [None, "wave"]


def test_actions_are_proposed_for_words_with_most_clips_first():
    actions = proposed_actions(["kick", "punch", None, "punch"])
    assert [(action.name, action.clips) for action in actions] == [("punch", (1, 3)), ("kick", (0,))]


def test_names_are_each_there_once_and_say_what_clips_do(walking):
    names = [clip.name for clip in walking.graph.clips]
    assert len(set(names)) == len(names)
    words = {word for clip in walking.graph.clips for word in clip.labels}
    assert all(any(name.startswith(word) for word in words) for name in names)
    assert not words & set(names)
    by_action = sorted(number for action in walking.graph.actions for number in action.clips)
    assert by_action == list(range(len(names)))


def test_shares_of_labels_are_counted_over_the_frames_of_a_clip(walking):
    view, corpus = walking.view, walking.view.corpus
    for clip in walking.graph.clips[:6]:
        for word in ("walk", "turn_left"):
            held = {
                frame
                for label in corpus.labels(clip.motion)
                if label.label == word
                for frame in range(label.start, label.stop)
            }
            start, _ = view.range_of(clip.motion)
            shown = view.source_frames[start + clip.start : start + clip.stop]
            share = sum(int(frame + 1e-6) in held for frame in shown) / len(shown)
            assert clip.labels.get(word, 0.0) == pytest.approx(share, abs=1e-3)


def test_without_labels_clips_are_called_by_the_frames_of_their_takes(walking, monkeypatch):
    from motionloom.methods.snap.author import clip_names

    monkeypatch.setattr(clip_names, "used_labels", lambda view: [])
    named: HubGraph = name_graph(walking.graph, walking.view)
    first = named.clips[0]
    start, _ = walking.view.range_of(first.motion)
    begin = round(walking.view.source_frames[start + first.start])
    assert first.name.startswith(f"{first.motion} [{begin}, ")
    assert len({clip.name for clip in named.clips}) == len(named.clips)
    assert named.actions == ()


@pytest.mark.parametrize("fps", [5.0, 30.0, 120.0])
def test_at_any_rate_the_name_of_a_clip_ends_where_the_next_of_its_take_begins(walking, monkeypatch, fps):
    from motionloom.methods.snap.author import clip_names

    monkeypatch.setattr(clip_names, "used_labels", lambda view: [])
    graph = prepare(walking.view.corpus, GraphRequest(takes=("walk/figure_eight",), fps=fps)).graph
    ranges = [[int(word) for word in re.findall(r"[0-9]+", clip.name.split(" ", 1)[1])] for clip in graph.clips]
    assert len(ranges) > 1
    for one, other, (_, stop), (start, _) in zip(graph.clips, graph.clips[1:], ranges, ranges[1:]):
        assert (one.stop == other.start) == (stop == start)


def test_people_say_which_clips_an_action_has_by_name_or_by_label(hub_graphs):
    graph = replace(hub_graphs(0, hubs=1, clips=6), actions=())
    walks = tuple(number for number, clip in enumerate(graph.clips) if clip.labels.get("walk", 0) > 0.5)
    made = chosen_actions(graph, [ClipsOfAction("go", ("walk",)), ClipsOfAction("one", (graph.clips[2].name,))])
    assert [(action.name, action.clips) for action in made] == [("go", walks), ("one", (2,))]
    with pytest.raises(BadInput, match="action 'go': no clip 'fly' in the graph"):
        chosen_actions(graph, [ClipsOfAction("go", ("fly",))])


def test_every_hub_that_others_lead_to_is_an_action(hub_graphs):
    graph = hub_graphs(hubs=3, edges=[(0, 0), (0, 1), (1, 0), (1, 1), (2, 1)], takes=1)
    made = {action.name: action.clips for action in changing_actions(graph)}
    assert made == {"to hub 0": (2,), "to hub 1": (1, 4)}
