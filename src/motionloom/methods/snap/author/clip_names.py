"""Naming: what clips are called, and which of them do what, from the labels of the takes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.conform import View, label_tracks, said_labels
from motionloom.conform.view import MIRRORED, take_of
from motionloom.errors import BadInput
from motionloom.methods.snap.author.graph_request import ClipsOfAction
from motionloom.methods.snap.graph.clip_controls import measure_controls
from motionloom.methods.snap.graph.hub_graph import Action, Clip, HubGraph

LEAST_SHARE = 0.3  # of a clip's frames: a label that holds in fewer does not name it
GOES = 0.6  # metres: clips that go so far are told apart by how they turn
STRAIGHT = np.radians(10)  # who turns less goes ahead


def name_graph(graph: HubGraph, view: View, actions: Sequence[ClipsOfAction] | None = None) -> HubGraph:
    """Give clips their labels, names that can be read, and actions.

    Args:
        graph: cut from the motions of the view.
        view: its takes have the labels.
        actions: as a person wants them; None to propose one for each word that clips are called by, and one for each
            hub that other hubs lead to.
    """
    words = said_labels(view)
    tracks = label_tracks(view, words) > 0
    labelled = [replace(clip, labels=_shares(clip, view, words, tracks)) for clip in graph.clips]
    main = main_labels(labelled)
    names = _names(replace(graph, clips=tuple(labelled)), view, main)
    named = replace(graph, clips=tuple(replace(clip, name=name) for clip, name in zip(labelled, names)))
    if actions is not None:
        return replace(named, actions=chosen_actions(named, actions))
    return replace(named, actions=(*proposed_actions(main), *changing_actions(named)))


def main_labels(clips: Sequence[Clip]) -> list[str | None]:
    """The label that says most about each clip: it holds there much more than elsewhere. None without labels."""
    lengths = np.array([clip.n_frames for clip in clips], float)
    words = sorted({word for clip in clips for word in clip.labels})
    shares = np.array([[clip.labels.get(word, 0.0) for word in words] for clip in clips]).reshape(len(clips), -1)
    everywhere = (lengths[:, None] * shares).sum(axis=0) / max(lengths.sum(), 1e-9)  # (L,)
    telling = np.where(shares >= LEAST_SHARE, shares / np.maximum(everywhere, 1e-9), 0.0)
    return [words[int(row.argmax())] if row.any() else None for row in telling]


def proposed_actions(main: Sequence[str | None]) -> tuple[Action, ...]:
    """An action for each label, with the clips that it says most about; those with most clips first."""
    clips: dict[str, list[int]] = {}
    for number, word in enumerate(main):
        if word is not None:
            clips.setdefault(word, []).append(number)
    ranked = sorted(clips.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(Action(word, tuple(numbers)) for word, numbers in ranked)


def changing_actions(graph: HubGraph) -> tuple[Action, ...]:
    """An action for each hub, with the clips that come from other hubs: 'to right stance'."""
    own = {action.name for action in graph.actions} | {word for clip in graph.clips for word in clip.labels}
    made = []
    for hub in range(graph.n_hubs):
        clips = [
            c for c in graph.entering[hub] if graph.clips[c].source < graph.n_hubs and graph.clips[c].source != hub
        ]
        name = f"to {graph.nodes[hub].name}"
        if clips and name not in own:
            made.append(Action(name, tuple(clips)))
    return tuple(made)


def chosen_actions(graph: HubGraph, wanted: Sequence[ClipsOfAction]) -> tuple[Action, ...]:
    """Actions as a person wants them; a clip may be named by itself, or by a label that holds in most of it."""
    made = []
    for one in wanted:
        try:
            clips = [clip for word in one.clips for clip in graph.clips_for(word)]
        except BadInput as error:
            raise BadInput(f"action '{one.name}': {error}") from None
        made.append(Action(one.name, tuple(dict.fromkeys(clips))))
    return tuple(made)


def _shares(clip: Clip, view: View, words: Sequence[str], tracks: np.ndarray) -> dict[str, float]:
    start, _ = view.range_of(clip.motion)
    shares = tracks[start + clip.start : start + clip.stop].mean(axis=0)
    return {word: round(float(share), 3) for word, share in zip(words, shares) if share > 0}


def _names(graph: HubGraph, view: View, main: Sequence[str | None]) -> list[str]:
    """'punch 1', 'walk left 38', and '144_20 [113, 180)' where there are no labels; each once."""
    controls = measure_controls(graph)
    plain = []
    for number, (clip, word) in enumerate(zip(graph.clips, main)):
        if word is None:
            plain.append(_by_frames(clip, view))
        elif controls.distance[number] > GOES and not {"left", "right"}.intersection(word.replace("_", " ").split()):
            plain.append(f"{word} {_turn(float(controls.turn[number]))}")
        else:
            plain.append(word)
    return _each_once(plain, {word for word in main if word})


def _by_frames(clip: Clip, view: View) -> str:
    start, stop = view.range_of(clip.motion)
    recorded = view.source_frames[start:stop]
    first, after = recorded[clip.start], recorded[clip.stop] if clip.stop < stop - start else recorded[-1] + 1
    side = " mirrored" if clip.motion.endswith(MIRRORED) else ""
    return f"{take_of(clip.motion)}{side} [{round(first)}, {round(after)})"


def _turn(turn: float) -> str:
    if abs(turn) < STRAIGHT:
        return "ahead"
    return f"{'left' if turn > 0 else 'right'} {abs(round(np.degrees(turn)))}"


def _each_once(names: Sequence[str], words: set[str]) -> list[str]:
    """Number names that come more than once; a label alone is numbered always, so that no clip is called like one."""
    done: list[str] = []
    seen: dict[str, int] = {}
    for name in names:
        one = name
        while (one == name and (names.count(name) > 1 or name in words)) or one in done:
            seen[name] = seen.get(name, 0) + 1
            one = f"{name}{' /' if name[-1].isdigit() else ''} {seen[name]}"
        done.append(one)
    return done
