"""Pictures of a build-up: the palette of its poses, and search trees from above."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from motionloom.body import NeutralPose
from motionloom.corpus.neutral_poses import read_neutral_pose
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.sequence.sequence import placement_at
from motionloom.methods.buildup.tree.search_tree import SearchTree
from motionloom.motion import Motion, place
from motionloom.render import ReachPlan, ShownPose, write_palette_sheet, write_reach_chart

LEAST_REACH = 0.05  # metres


def draw_palette(path: str | Path, model: Model, title: str = "") -> None:
    """Draw all poses to choose from, alike ones side by side, with their labels and the frames that name them."""
    neutral = read_neutral_pose(model.view.corpus, model.view.skeleton) or NeutralPose()
    shown = []
    for group in model.palette.order:
        name, _ = model.clip_frame(int(model.groups.centres[group]))
        origin = model.view.origin(int(model.groups.centres[group]))
        labels = ", ".join(model.palette.labels[group]).replace("_", " ")
        pose = posed_at_origin(model, int(model.groups.centres[group]))
        seconds = f"{model.groups.sizes[group] / model.fps:.1f} s"
        shown.append(ShownPose(pose, labels or seconds, f"{name} {origin.frame:.0f}", neutral))
    write_palette_sheet(path, shown, title)


def posed_at_origin(model: Model, frame: int) -> Motion:
    """A frame of the view at the origin, facing +z."""
    return place(model.view.pose(frame), placement_at(model, frame, (0.0, 0.0, 0.0)))


def draw_trees(path: str | Path, trees: Sequence[tuple[str, SearchTree]], most: float = 4.0) -> None:
    """Draw search trees from above, side by side, each as large as it fits (figure 3, top).

    Args:
        path: of the PNG.
        trees: with titles.
        most: metres around the last pose that are shown at most.
    """
    write_reach_chart(path, [_reach_plan(title, tree, most) for title, tree in trees])


def _reach_plan(title: str, tree: SearchTree, most: float) -> ReachPlan:
    places = np.asarray(tree.places[:, :2])
    far = float(np.abs(places - places[0]).max())
    reach = min(max(1.15 * far, LEAST_REACH), most)
    fact = f"{tree.n_nodes:,} nodes, {far:.2f} m around; the picture shows {2 * reach:.1f} m"
    return ReachPlan(title, fact, places, tree.parents, reach)
