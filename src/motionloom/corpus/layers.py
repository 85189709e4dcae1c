"""Layers: features of a take, computed once and cached under a digest of take, settings and code.

All are per frame, except supports: those of the whole take.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom import tasks
from motionloom.caching import Kind, cached, is_shared
from motionloom.corpus.records import TakeInfo
from motionloom.corpus.store import array_files, catalogue
from motionloom.corpus.store.interrupts import uninterrupted
from motionloom.errors import BadInput, CorpusError, MotionloomError
from motionloom.features.contacts import ContactSettings
from motionloom.features.facing import find_facing
from motionloom.features.feet import foot_points
from motionloom.features.supported_contacts import Supported, SupportSettings, detect_supports, find_footing
from motionloom.features.velocities import accelerations, positions_seen_from, seen_from, velocities
from motionloom.motion import Box, Footing, Ground, Motion, kinematics

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus


@dataclass(frozen=True)
class LayerReport:
    """The outcome of computing missing layers."""

    made: int
    refused: tuple[tuple[str, str], ...] = ()  # take, and why its layers cannot be computed


class Moving:
    """A motion and its floor height, with intermediate results that several layers share."""

    def __init__(self, motion: Motion, floor_height: float, ground: Ground | None = None) -> None:
        self.motion, self.floor_height, self.ground = motion, floor_height, ground

    @cached_property
    def world_positions(self) -> np.ndarray:
        """(F, J, 3) metres, world."""
        return kinematics.world_positions(self.motion)

    @cached_property
    def facing(self) -> tuple[np.ndarray, np.ndarray]:
        """(F,) headings in radians and (F, 2) metres along x and z."""
        return find_facing(self.motion.skeleton, self.world_positions)

    @cached_property
    def supported(self) -> Supported:
        """Contacts with the floor, with the ground that is given and with supports."""
        return detect_supports(self.motion, self.floor_height, ground=self.ground)


@dataclass(frozen=True)
class LayerKind:
    """The function that computes a layer, and its settings."""

    compute: Kind[[Moving], np.ndarray]
    settings: Mapping[str, Any]


def read_body(corpus: "Corpus", name: str) -> Motion:
    """The motion of a take that has a skeleton."""
    motion = corpus.take(name).motion
    if not isinstance(motion, Motion):
        raise BadInput(f"{name}: has points and no skeleton; only bodies have layers")
    return motion


@cached("layer facing", inputs=(read_body,))
def facing(moving: Moving) -> np.ndarray:
    """(F, 3): metres along x and z under the hips, and heading in radians, unwrapped."""
    headings, ground = moving.facing
    return np.column_stack([ground, headings])


@cached("layer positions", inputs=(read_body,))
def positions(moving: Moving) -> np.ndarray:
    """(F, J, 3) metres in the facing: x left, y above the floor, z forwards."""
    return positions_seen_from(*moving.facing, moving.floor_height, moving.world_positions)


@cached("layer velocities", inputs=(read_body,))
def joint_velocities(moving: Moving) -> np.ndarray:
    """(F, J, 3) metres per second over the ground, in the directions of the facing."""
    return seen_from(moving.facing[0], velocities(moving.world_positions, moving.motion.fps))


@cached("layer accelerations", inputs=(read_body,))
def joint_accelerations(moving: Moving) -> np.ndarray:
    """(F, J, 3) metres per second squared over the ground, in the directions of the facing."""
    return seen_from(moving.facing[0], accelerations(moving.world_positions, moving.motion.fps))


@cached("layer contacts", inputs=(read_body,))
def contacts(moving: Moving) -> np.ndarray:
    """(F, 4) bool: heel and ball of the left and the right foot rest, on the floor or on a support."""
    return moving.supported.contacts


@cached("layer contact_heights", inputs=(read_body,))
def contact_heights(moving: Moving) -> np.ndarray:
    """(F, 4) metres, world: the surface that each point rests on; NaN where it does not rest."""
    return moving.supported.heights


@cached("layer supports", inputs=(read_body,))
def supports(moving: Moving) -> np.ndarray:
    """(S, 7), not per frame: boxes that feet were found to rest on, in `SUPPORT_COLUMNS`, in the order of first use."""
    boxes = [support.box for support in moving.supported.supports]
    rows = [(*box.centre, *box.half, box.turn, box.top, box.bottom) for box in boxes]
    return np.array(rows, float).reshape(-1, len(SUPPORT_COLUMNS))


SUPPORT_COLUMNS = ("x", "z", "half_x", "half_z", "turn", "top", "bottom")  # of a Box: metres and radians, world
_REST = {**asdict(ContactSettings()), "supports": asdict(SupportSettings())}
LAYERS: Mapping[str, LayerKind] = {
    "facing": LayerKind(facing, {}),
    "positions": LayerKind(positions, {}),
    "velocities": LayerKind(joint_velocities, {}),
    "accelerations": LayerKind(joint_accelerations, {}),
    "contacts": LayerKind(contacts, _REST),
    "contact_heights": LayerKind(contact_heights, _REST),
    "supports": LayerKind(supports, _REST),
}


def read_ground(corpus: "Corpus", name: str) -> Ground:
    """What the feet of a take stand on: its floor, the ground that was given, and its supports; metres, world."""
    given, boxes = corpus.ground(name), _read_boxes(corpus, name)
    if given is None:
        return Ground(corpus.info(name).floor_height, boxes)
    return Ground(given.floor, (*given.boxes, *boxes), given.terrain)


def _read_boxes(corpus: "Corpus", name: str) -> tuple[Box, ...]:
    """The supports of a take."""
    rows = np.asarray(read_layer(corpus, name, "supports"), float).tolist()
    return tuple(Box((x, z), (half_x, half_z), *rest) for x, z, half_x, half_z, *rest in rows)


def compute_layers(
    motion: Motion, floor_height: float, layers: Iterable[str], ground: Ground | None = None
) -> dict[str, np.ndarray]:
    """Compute layers of any motion; numbers as float32, contacts as bool. A given ground has its floor there."""
    moving = Moving(motion, floor_height, ground)
    arrays = {layer: _kind_of(layer).compute(moving) for layer in layers}
    return {layer: array if array.dtype == bool else array.astype(np.float32) for layer, array in arrays.items()}


def read_footing(corpus: "Corpus", name: str) -> Footing:
    """What the feet of a take stand on besides its floor, and in which frames."""
    found = Ground(corpus.info(name).floor_height, _read_boxes(corpus, name))
    given = corpus.ground(name) or Ground(found.floor)
    if not found.boxes:
        return Footing(given)
    heights = np.asarray(read_layer(corpus, name, "contact_heights"), float)
    points = foot_points(read_body(corpus, name), found.floor, ground=given)
    return replace(find_footing(points, heights, found), ground=given)


def read_layer(corpus: "Corpus", name: str, layer: str) -> np.ndarray:
    """A layer of a take: the cached one if it is up to date, else computed and cached if the corpus is writable."""
    info = corpus.info(name)
    found = _find_cached(corpus, info, layer)
    if found is not None:
        return found
    computed = _compute(corpus, info, [layer])
    if corpus.can_write:
        keep_layers(corpus, info, computed)
    return computed[layer]


def make_layers(
    corpus: "Corpus",
    names: Iterable[str] | None = None,
    layers: Iterable[str] | None = None,
    *,
    workers: int | None = None,
    progress: tasks.Progress | None = None,
) -> LayerReport:
    """Compute and cache the missing layers of takes on all cores; takes whose layers cannot be computed are reported.

    Layers whose code has changed since this process began are left out: no other process could use them.

    Args:
        corpus: open for writing.
        names: of takes; None for all.
        layers: None for all.
        workers: processes; None for one per core.
        progress: called as progress(takes_done, takes_total).
    """
    corpus.require_writing()
    asked = list(LAYERS) if layers is None else list(layers)
    wanted = [layer for layer in asked if is_shared(_kind_of(layer).compute.code_version)]
    infos = [corpus.info(name) for name in (corpus.names() if names is None else names)]
    missing = [(info, [layer for layer in wanted if _find_cached(corpus, info, layer) is None]) for info in infos]
    missing = [(info, lacking) for info, lacking in missing if lacking and info.kind == "body"]
    jobs = [(corpus.folder, info.name, lacking) for info, lacking in missing]
    outcomes = tasks.try_all(_make, jobs, workers=workers, progress=progress, prepare=_prepare)
    made, refused = 0, []
    for outcome, (info, _) in zip(outcomes, missing):
        if outcome.result is not None:
            keep_layers(corpus, info, outcome.result)
            made += len(outcome.result)
        elif isinstance(outcome.error, MotionloomError):
            refused.append((info.name, str(outcome.error)))
        elif outcome.error is not None:
            raise outcome.error
    return LayerReport(made, tuple(refused))


def layer_key(info: TakeInfo, layer: str) -> str:
    """Cache key: digest of the layer's kind, settings and code, and of the take's content, skeleton and ground."""
    kind = _kind_of(layer)
    version = kind.compute.code_version
    parts = [layer, dict(kind.settings), version, info.digest, info.skeleton, info.floor_height]
    parts += [info.ground] if info.ground is not None and kind.settings is _REST else []
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


@uninterrupted()
def keep_layers(corpus: "Corpus", info: TakeInfo, arrays: Mapping[str, np.ndarray]) -> None:
    """Cache computed layers of a take; they replace older ones. What no other process could use stays in memory."""
    shared = {layer: array for layer, array in arrays.items() if is_shared(_kind_of(layer).compute.code_version)}
    for layer in set(arrays) - set(shared):
        corpus.unshared.put((layer, layer_key(info, layer)), arrays[layer])
    if shared:
        try:
            _write_layers(corpus, info, shared)
        except CorpusError:  # a full disk: what was computed can still be used
            for layer, array in shared.items():
                corpus.unshared.put((layer, layer_key(info, layer)), array)


def _write_layers(corpus: "Corpus", info: TakeInfo, arrays: Mapping[str, np.ndarray]) -> None:
    take = corpus.take_id(info.name)
    old = {file for (file,) in corpus.connection.execute("SELECT file FROM layers WHERE take = ?", [take])}
    with (
        catalogue.storing_arrays(corpus.connection, corpus.arrays, arrays) as stored,
        catalogue.transaction(corpus.connection) as db,
    ):
        for layer, array in arrays.items():
            array_files.write_missing(corpus.arrays, array, stored[layer])
            db.execute(
                "INSERT OR REPLACE INTO layers VALUES (?, ?, ?, ?, ?, ?, ?, ?, datetime('now'))",
                [take, layer, *_made_from(info, layer), stored[layer].file, stored[layer].crc],
            )
        unknown = f"take = ? AND layer NOT IN ({', '.join('?' * len(LAYERS))})"
        db.execute(f"DELETE FROM layers WHERE {unknown}", [take, *LAYERS])  # of older or newer code
    catalogue.delete_unused(corpus.connection, corpus.arrays, old)


def _made_from(info: TakeInfo, layer: str) -> tuple[str, str, str, str]:
    """Key, settings, code version and take digest, as the catalogue stores them."""
    kind = _kind_of(layer)
    made_with = json.dumps({"settings": dict(kind.settings), "floor_height": info.floor_height}, sort_keys=True)
    return layer_key(info, layer), made_with, kind.compute.code_version, info.digest


def _find_cached(corpus: "Corpus", info: TakeInfo, layer: str) -> np.ndarray | None:
    key = layer_key(info, layer)
    unshared: np.ndarray | None = corpus.unshared.get((layer, key))
    if unshared is not None:
        return unshared
    row = corpus.connection.execute(
        "SELECT file, crc FROM layers WHERE take = ? AND layer = ? AND key = ?",
        [corpus.take_id(info.name), layer, key],
    ).fetchone()
    if row is None:
        return None
    try:
        return array_files.open_array(corpus.arrays, catalogue.stored(row))
    except CorpusError:  # replaced by the writer just now, or damaged: it is computed again
        return None


def _compute(corpus: "Corpus", info: TakeInfo, layers: Iterable[str]) -> dict[str, np.ndarray]:
    return compute_layers(read_body(corpus, info.name), info.floor_height, layers, corpus.ground(info.name))


def _make(job: tuple[Path, str, list[str]]) -> dict[str, np.ndarray]:
    """Runs in a worker process, which only reads the corpus; the holder of the write lock stores the layers."""
    from motionloom.corpus.corpus import Corpus

    folder, name, layers = job
    with Corpus.open(folder) as corpus:
        return _compute(corpus, corpus.info(name), layers)


def _prepare() -> None:
    """Load the compiled kinematics in a worker."""
    from motionloom.motion import Skeleton

    kinematics.forward(
        Skeleton(("root",), np.array([-1]), np.zeros((1, 3))), np.zeros((1, 3)), np.array([[[1.0, 0, 0, 0]]])
    )


def _kind_of(layer: str) -> LayerKind:
    if layer not in LAYERS:
        raise BadInput(f"no layer '{layer}'; the layers are {', '.join(LAYERS)}")
    return LAYERS[layer]
