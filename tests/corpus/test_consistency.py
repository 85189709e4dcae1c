"""Takes beside others of their skeleton and folder: what differs is doubted, and the floor of the body is used."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from benchmarks.unseen.conventions import rewrite

from motionloom import formats
from motionloom.corpus import Corpus, compare_takes, find_doubts, import_files
from motionloom.corpus.records import TakeInfo
from motionloom.features.floor import estimate_floor
from motionloom.formats import Source
from motionloom.motion import Motion, cut


def floor_flags(corpus, name):
    return [flag.message for flag in corpus.info(name).flags if flag.kind == "floor"]


def test_a_take_stands_on_the_floor_of_its_body_where_its_feet_rest_there_too(corpus, tmp_path, floors):
    assert estimate_floor(floors.sinking()) < -0.3
    import_files(corpus, [floors.write(tmp_path / "data", floors.motions, odd=floors.sinking())])
    info = corpus.info("odd")
    assert abs(info.floor_height) < 0.03 and not info.floor_given
    (message,) = floor_flags(corpus, "odd")
    assert "that of the 4 takes of this body" in message and "from this take alone it was -3" in message
    assert corpus.layer("odd", "contacts")[:190].any()  # it does not float
    assert not any(floor_flags(corpus, name) for name in floors.motions)


def test_bodies_without_toes_have_a_floor_too(corpus, tmp_path, floors):
    def toeless(motion: Motion) -> Motion:
        skeleton = motion.skeleton
        balls = {skeleton.index(f"{side}_ball"): f"Knob{side}" for side in ("left", "right")}
        names = tuple(balls.get(joint, name) for joint, name in enumerate(skeleton.names))
        return replace(motion, skeleton=replace(skeleton, names=names, roles={}))

    motions = {name: toeless(motion) for name, motion in floors.motions.items()}
    import_files(corpus, [floors.write(tmp_path / "data", motions, odd=toeless(floors.sinking()))])
    assert not corpus.skeleton(corpus.info("odd").skeleton).has("left_ball")
    heights = [corpus.info(name).floor_height for name in (*motions, "odd")]
    assert np.abs(heights).max() < 0.03
    assert "that of the 4 takes of this body" in floor_flags(corpus, "odd")[0]


def test_a_take_whose_feet_rest_elsewhere_keeps_its_floor_and_is_doubted(corpus, tmp_path, floors):
    on_stool = floors.moved(floors.standing, 0.45)
    import_files(corpus, [floors.write(tmp_path / "data", floors.motions, stool=on_stool)])
    assert corpus.info("stool").floor_height == pytest.approx(estimate_floor(on_stool), abs=1e-4)
    (message,) = floor_flags(corpus, "stool")
    assert "far from that of the 4 takes of this body" in message and "no foot rests there" in message


def swimming(motion: Motion) -> Motion:
    """Half a metre above the floor, with feet that never rest."""
    t = np.arange(motion.n_frames) / motion.fps
    waves = np.stack([0.3 * np.sin(9 * t), 0.5 + 0.1 * np.sin(7 * t), 0.3 * np.cos(9 * t)], axis=1)
    return replace(motion, root_positions=motion.root_positions + waves)


def test_a_take_whose_feet_never_rest_stands_on_the_floor_of_its_body(corpus, tmp_path, floors):
    swims = swimming(floors.standing)
    assert estimate_floor(swims) > 0.3
    import_files(corpus, [floors.write(tmp_path / "data", floors.motions, swims=swims)])
    assert abs(corpus.info("swims").floor_height) < 0.03
    (message,) = floor_flags(corpus, "swims")
    assert "because feet hardly rest in this one" in message


def test_a_body_that_is_below_the_floor_of_the_others_keeps_its_own(corpus, tmp_path, floors):
    swims = floors.moved(swimming(floors.standing), -1.5)
    import_files(corpus, [floors.write(tmp_path / "data", floors.motions, swims=swims)])
    assert corpus.info("swims").floor_height == pytest.approx(estimate_floor(swims), abs=1e-4)


def test_floors_of_the_others_stay_as_they_were_estimated(corpus, tmp_path, floors):
    motions = {}
    for name, motion in floors.motions.items():
        formats.write(tmp_path / f"{name}.bvh", motion)
        motions[name] = formats.read(tmp_path / f"{name}.bvh").motion
    import_files(corpus, [floors.write(tmp_path / "data", motions, odd=floors.sinking())])
    for name in motions:
        alone = estimate_floor(formats.read(tmp_path / "data" / f"{name}.bvh").motion)
        assert corpus.info(name).floor_height == alone  # bit for bit


def test_the_order_of_the_files_does_not_matter(tmp_path, floors):
    folder = floors.write(
        tmp_path / "data", {name: cut(m, 0, 120) for name, m in floors.motions.items()}, odd=floors.sinking()
    )
    files = sorted(folder.glob("*.bvh"))
    seen = set()
    for number, order in enumerate(list(permutations(files))[::5]):
        with Corpus.create(tmp_path / f"corpus{number}") as corpus:
            import_files(corpus, order)
            seen.add(tuple((info.name, info.floor_height) for info in corpus.infos()))
    assert len(seen) == 1


def test_a_given_floor_is_never_touched_nor_doubted(corpus, tmp_path, floors):
    corpus.add(formats.read(floors.write(tmp_path / "given", {}, odd=floors.sinking()) / "odd.bvh"), floor_height=1.5)
    import_files(corpus, [floors.write(tmp_path / "data", floors.motions)])
    assert corpus.info("odd").floor_height == 1.5
    assert not find_doubts(corpus)


def test_a_cleaned_copy_stands_on_the_floor_of_the_body_too(corpus, tmp_path, floors):
    from motionloom.assembly.derived.derived_takes import clean_take

    import_files(corpus, [floors.write(tmp_path / "data", floors.motions, odd=floors.sinking())])
    cleaned = clean_take(corpus, "odd").take
    assert corpus.info(cleaned).floor_height == corpus.info("odd").floor_height


@pytest.mark.parametrize(
    ("up", "unit", "kind", "word"),
    [("z", "metres", "other_up", "z is up here, but y in 3"), ("y", "inches", "other_unit", "1 unit is 0.0254 m here")],
)
def test_another_axis_or_unit_is_doubted_and_kept(corpus, tmp_path, up, unit, kind, word, floors):
    (tmp_path / "data").mkdir()
    for name, motion in floors.motions.items():
        rewrite(tmp_path / "data" / f"{name}.bvh", motion, "y", "metres", "T")
    rewrite(tmp_path / "data" / "odd.bvh", cut(floors.standing, 0, 200), up, unit, "T")
    import_files(corpus, [tmp_path / "data"])
    assert corpus.info("odd").source.up == up  # not turned
    assert [word in flag.message for flag in corpus.info("odd").flags if flag.kind == kind] == [True]
    assert not [flag for name in floors.motions for flag in corpus.info(name).flags if flag.kind.startswith("other_")]


def info(number: int, floor: float = 0.0, fps: float = 60.0, flagged: bool = False, folder: str = "a") -> TakeInfo:
    rate = (formats.Finding("rate", "it was probably recorded at 60", True),) if flagged else ()
    source = Source(f"{folder}/{number}.bvh", "bvh", "", fps, 1.0)
    return TakeInfo(f"{number}", "body", 100, fps, floor, False, "body", "tree", str(number), source, rate)


def test_another_rate_than_the_others_of_the_body_is_doubted():
    takes = [info(k) for k in range(4)] + [info(9, fps=120.0), info(10, fps=120.0, folder="b")]
    assert {name: [f.kind for f in found] for name, found in compare_takes(takes).items()} == {"9": ["other_rate"]}


def test_a_rate_that_was_found_wrong_in_two_takes_is_doubted_in_all_of_the_body():
    takes = [info(k, fps=120.0, flagged=k < 2) for k in range(5)] + [info(9, fps=60.0, folder="b")]
    assert set(compare_takes(takes)) == {"2", "3", "4"}
    assert not compare_takes([info(k, fps=120.0, flagged=k < 1) for k in range(5)])


@pytest.mark.parametrize("seed", range(30))
def test_a_floor_near_the_median_is_never_doubted_and_a_far_one_always(seed):
    rng = np.random.default_rng(seed)
    floors = rng.normal(0.0, rng.choice([0.02, 0.05, 0.2]), rng.integers(3, 9))
    doubted = compare_takes([info(k, floor) for k, floor in enumerate(floors.tolist())])
    off = np.abs(floors - np.median(floors))
    assert not [k for k in range(len(floors)) if off[k] <= 0.04 and str(k) in doubted]
    assert all(str(k) in doubted for k in range(len(floors)) if off[k] > 0.06)


def test_floors_of_bodies_without_feet_are_guesses_and_not_compared():
    takes = [info(k, floor) for k, floor in enumerate([0.0, 0.01, 0.9])]
    assert set(compare_takes(takes)) == {"2"}
    assert compare_takes(takes, {"body"}) == {}


def test_a_damaged_row_of_another_take_does_not_stop_an_import(corpus, tmp_path, floors):
    import_files(corpus, [floors.write(tmp_path / "first", {}, old=cut(floors.standing, 0, 60))])
    corpus.connection.execute("UPDATE takes SET fps = 'fast' WHERE name = 'old'")
    report = import_files(corpus, [floors.write(tmp_path / "data", floors.motions)])
    assert len(report.imported) == 3 and report.refused == ()
    (note,) = report.notes
    assert note.startswith("the new takes were not compared with the others: ") and "old" in note
