"""Names of clips, and actions: both proposed from the labels of the takes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.conform import View, label_tracks, used_labels
from motionloom.conform.base_view import MIRRORED, take_of
from motionloom.errors import BadInput
from motionloom.methods.snap.author.graph_request import ClipsOfAction
from motionloom.methods.snap.graph.clip_controls import measure_controls
from motionloom.methods.snap.graph.hub_graph import Action, Clip, HubGraph

LEAST_SHARE = 0.3  # of a clip's frames: minimum share in which a label holds to name the clip
GOES = 0.6  # metres: the names of clips that travel farther say how they turn
STRAIGHT = np.radians(10)  # a clip that turns less is named 'ahead'


def name_graph(graph: HubGraph, view: View, actions: Sequence[ClipsOfAction] | None = None) -> HubGraph:
    """Set labels, readable names and actions of clips.

    Args:
        graph: cut from the motions of the view.
        view: its takes carry the labels.
        actions: as requested; None to propose one for each label that names clips, and one for each hub that can be
            entered from another hub.
    """
    labels = used_labels(view)
    tracks = label_tracks(view, labels) > 0
    labelled = [replace(clip, labels=_shares(clip, view, labels, tracks)) for clip in graph.clips]
    main = main_labels(labelled)
    names = _names(replace(graph, clips=tuple(labelled)), view, main)
    named = replace(graph, clips=tuple(replace(clip, name=name) for clip, name in zip(labelled, names)))
    if actions is not None:
        return replace(named, actions=chosen_actions(named, actions))
    return replace(named, actions=(*proposed_actions(main), *changing_actions(named)))


def main_labels(clips: Sequence[Clip]) -> list[str | None]:
    """The most distinctive label of each clip: highest share relative to its share in all clips; None if unlabelled."""
    lengths = np.array([clip.n_frames for clip in clips], float)
    labels = sorted({label for clip in clips for label in clip.labels})
    shares = np.array([[clip.labels.get(label, 0.0) for label in labels] for clip in clips]).reshape(len(clips), -1)
    everywhere = (lengths[:, None] * shares).sum(axis=0) / max(lengths.sum(), 1e-9)  # (L,)
    distinctive = np.where(shares >= LEAST_SHARE, shares / np.maximum(everywhere, 1e-9), 0.0)
    return [labels[int(row.argmax())] if row.any() else None for row in distinctive]


def proposed_actions(main: Sequence[str | None]) -> tuple[Action, ...]:
    """An action for each label, with the clips whose main label it is; largest first."""
    clips: dict[str, list[int]] = {}
    for number, label in enumerate(main):
        if label is not None:
            clips.setdefault(label, []).append(number)
    ranked = sorted(clips.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(Action(label, tuple(numbers)) for label, numbers in ranked)


def changing_actions(graph: HubGraph) -> tuple[Action, ...]:
    """An action for each hub, with the clips that enter it from other hubs: 'to right stance'."""
    own = {action.name for action in graph.actions} | {label for clip in graph.clips for label in clip.labels}
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
    """Actions as requested; their clips are given by name, or by a label that holds in most of a clip."""
    made = []
    for action in wanted:
        try:
            clips = [clip for name in action.clips for clip in graph.clips_for(name)]
        except BadInput as error:
            raise BadInput(f"action '{action.name}': {error}") from None
        made.append(Action(action.name, tuple(dict.fromkeys(clips))))
    return tuple(made)


def _shares(clip: Clip, view: View, labels: Sequence[str], tracks: np.ndarray) -> dict[str, float]:
    """The share of a clip's frames in which each label holds; labels that hold nowhere are left out."""
    start, _ = view.range_of(clip.motion)
    shares = tracks[start + clip.start : start + clip.stop].mean(axis=0)
    return {label: round(float(share), 3) for label, share in zip(labels, shares) if share > 0}


def _names(graph: HubGraph, view: View, main: Sequence[str | None]) -> list[str]:
    """Unique names: 'punch 1', 'walk left 38', or '144_20 [113, 180)' for clips without labels."""
    controls = measure_controls(graph)
    plain = []
    for number, (clip, label) in enumerate(zip(graph.clips, main)):
        if label is None:
            plain.append(_by_frames(clip, view))
        elif controls.distance[number] > GOES and not {"left", "right"}.intersection(label.replace("_", " ").split()):
            plain.append(f"{label} {_turn(float(controls.turn[number]))}")
        else:
            plain.append(label)
    return _make_unique(plain, {label for label in main if label})


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


def _make_unique(names: Sequence[str], labels: set[str]) -> list[str]:
    """Number repeated names; a name that is a label is always numbered, so that no clip has the name of a label."""
    made: list[str] = []
    counts: dict[str, int] = {}
    for name in names:
        unique = name
        while (unique == name and (names.count(name) > 1 or name in labels)) or unique in made:
            counts[name] = counts.get(name, 0) + 1
            unique = f"{name}{' /' if name[-1].isdigit() else ''} {counts[name]}"
        made.append(unique)
    return made
