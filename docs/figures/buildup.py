"""Draw buildup_palette.png and buildup_trees.png: poses of the demo corpus's fights, and search trees from above."""

import tempfile
from pathlib import Path

from motionloom.methods import buildup
from motionloom.methods.buildup.sequence.entries import find_entries
from motionloom.methods.buildup.sequence.steps import begin
from motionloom.methods.buildup.sheets import draw_palette, draw_trees
from motionloom.methods.buildup.tree.search_tree import grow_tree, unroll_to_depth
from motionloom.performer import make_demo_corpus

FOLDER = Path(__file__).parent
DEPTHS = (1, 3, 5)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, make_demo_corpus(Path(folder) / "corpus") as corpus:
        model = buildup.prepare(corpus, buildup.Material(("fight/*",), groups=24))
        draw_palette(FOLDER / "buildup_palette.png", model, "poses to choose from: the fights of the demo corpus")
        sequence = begin(model, buildup.Request(steps=()).cast[0])
        entries = find_entries(model, sequence.last_pose(model))
        trees = [(f"depth {depth}", unroll_to_depth(model.tables, entries, depth)) for depth in DEPTHS]
        grown = grow_tree(model.tables, entries, model.settings.growth)
        draw_trees(FOLDER / "buildup_trees.png", [*trees, ("grown by time", grown)])


if __name__ == "__main__":
    main()
