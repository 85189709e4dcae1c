"""Grounds of takes: kept with them, whatever happens to the take, and decisive for layers and views."""

import numpy as np
import pytest
from benchmarks.unseen.performed_supports import perform_supports

from motionloom.conform import ViewSettings, make_view
from motionloom.corpus import Corpus, check, make_layers, read_ground
from motionloom.corpus.integrity.backup import back_up
from motionloom.errors import BadInput, CorpusError
from motionloom.features.feet import foot_points
from motionloom.formats.take import Source, Take
from motionloom.motion import Box, Ground, Motion, Placement, Terrain
from motionloom.quality import measure_air, measure_penetration

MADE = Source("made", "made", "", 60.0, 1.0)


@pytest.fixture(scope="module")
def hill():
    return perform_supports("hills", 80)


@pytest.fixture
def hills(tmp_path, hill):
    """The folder of a corpus with a walk over a hill, and the same on a body of other proportions."""
    folder = tmp_path / "corpus"
    with Corpus.create(folder) as corpus:
        for name, walk in (("hill", hill), ("tall", perform_supports("hills", 81, 48.0, 1.25))):
            corpus.add(Take(name, walk.motion, MADE), floor_height=0.0)
            corpus.set_ground(name, walk.ground)
    return folder


def test_a_ground_stays_with_its_take(hills, hill, tmp_path):
    def same(folder, name="hill"):
        with Corpus.open(folder) as corpus:
            return corpus.ground(name).to_data() == hill.ground.to_data()

    assert same(hills)
    with Corpus.open(hills, write=True) as corpus:
        corpus.rename("hill", "up")
        corpus.remove("up")
        with pytest.raises(CorpusError, match="no take 'up'"):
            corpus.ground("up")
        corpus.restore("up")
    assert same(hills, "up")
    assert check(hills).problems == ()
    back_up(hills, tmp_path / "backup")
    assert same(tmp_path / "backup", "up")
    with Corpus.open(hills, write=True) as corpus:
        corpus.remove("up")
        corpus.purge()
        assert corpus.connection.execute("SELECT count(*) FROM grounds").fetchone() == (1,)


def test_the_floor_of_the_ground_is_that_of_the_take(hills, hill):
    with Corpus.open(hills, write=True) as corpus:
        corpus.set_ground("hill", hill.ground.raised(0.2))
        assert corpus.info("hill").floor_height == pytest.approx(0.2) and corpus.info("hill").floor_given
        corpus.set_floor("hill", 0.1)
        ground = corpus.ground("hill")
        assert ground.floor == 0.1
        np.testing.assert_allclose(ground.terrain.heights, hill.ground.terrain.heights + 0.2)
        corpus.set_ground("hill", None)
        assert corpus.ground("hill") is None and corpus.info("hill").floor_height == 0.1
        corpus.set_ground("hill", Ground(0.3))  # nothing but a floor
        assert corpus.ground("hill") is None and corpus.info("hill").floor_height == 0.3


def test_contacts_are_found_again_when_a_ground_is_given_or_forgotten(hills, hill):
    with Corpus.open(hills, write=True) as corpus:
        make_layers(corpus, ["hill"], workers=0)
        on_ground = np.array(corpus.layer("hill", "contact_heights"))
        assert len(corpus.layer("hill", "supports")) == 0
        assert read_ground(corpus, "hill").to_data() == hill.ground.to_data()
        assert corpus.footing("hill").ground.to_data() == hill.ground.to_data()
        corpus.set_ground("hill", None)
        found = np.array(corpus.layer("hill", "contact_heights"))
        assert len(corpus.layer("hill", "supports")) > 0
        assert not np.array_equal(found, on_ground, equal_nan=True)
        corpus.set_ground("hill", hill.ground)
        np.testing.assert_array_equal(corpus.layer("hill", "contact_heights"), on_ground)


@pytest.mark.parametrize("fps", [60.0, 31.0])
def test_views_stand_on_patches_of_the_hill(hills, fps):
    with Corpus.open(hills) as corpus:
        view = make_view(corpus, settings=ViewSettings(fps=fps, reference="hill", mirrored=True))
        for name in view.names:
            motion, footing, contacts = view.motion(name), view.footing(name), view.layer(name, "contacts")
            assert footing.ground.is_flat and footing.supports
            assert not measure_air(motion, footing=footing).hovers
            assert measure_penetration(motion, footing=footing, contacts=contacts).deepest_mm < 6.0
            points = foot_points(motion, 0.0)
            under = footing.under(points, contacts)
            assert under[contacts].max() > 0.2
            assert np.abs(points[..., 1] - under)[contacts].max() < 0.06
        tall = np.max([support.box.top for support in view.footing("tall").supports])
        scale = view.skeleton.leg_length / corpus.take("tall").motion.skeleton.leg_length
        assert tall == pytest.approx(scale * corpus.ground("tall").terrain.heights.max(), abs=0.03)
        mirrored = [support.box.centre[0] for support in view.footing("hill~mirrored").supports]
        assert sorted(mirrored) == pytest.approx(sorted(-s.box.centre[0] for s in view.footing("hill").supports))


def test_a_view_is_made_again_when_a_ground_changes(hills):
    with Corpus.open(hills, write=True) as corpus:
        key = make_view(corpus, ["hill"]).key
        assert make_view(corpus, ["hill"]).key == key
        corpus.set_ground("hill", None)
        assert make_view(corpus, ["hill"]).key != key


def test_in_a_pit_the_floor_of_the_view_is_its_lowest_ground(tmp_path, hill):
    sunk = Motion(
        hill.motion.skeleton, hill.motion.root_positions - [0.0, 1.0, 0.0], hill.motion.local_rotations, hill.motion.fps
    )
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("pit", sunk, MADE), floor_height=0.0)
        corpus.set_ground("pit", Ground(0.0, (), hill.ground.raised(-1.0).terrain))
        view = make_view(corpus, ["pit"])
        contacts, points = view.layer("pit", "contacts"), foot_points(view.motion("pit"), 0.0)
        assert contacts.any() and abs(points[..., 1][contacts].min()) < 0.06
        assert not measure_air(view.motion("pit"), footing=view.footing("pit")).hovers


def test_a_damaged_ground_is_found_and_set_aside(hills):
    with Corpus.open(hills, write=True) as corpus:
        corpus.connection.execute("UPDATE grounds SET content = replace(content, '0.', '1.')")
    with Corpus.open(hills) as corpus, pytest.raises(CorpusError, match="ground in the catalogue is damaged"):
        corpus.ground("hill")
    assert len(check(hills).left) == 2
    assert check(hills, repair=True).is_clean
    with Corpus.open(hills) as corpus:
        assert corpus.ground("hill") is None
        aside = corpus.connection.execute("SELECT what, reason FROM set_aside").fetchall()
        assert [what for what, _ in aside] == ["grounds", "grounds"]


def test_grounds_of_a_damaged_catalogue_are_recovered(hills, hill):
    path = hills / "catalogue.sqlite"
    content = bytearray(path.read_bytes())
    content[:100] = bytes(100)  # its header
    path.write_bytes(content)
    check(hills, repair=True)
    with Corpus.open(hills) as corpus:
        assert corpus.ground("hill").to_data() == hill.ground.to_data()


def test_points_stand_on_nothing_and_readers_change_nothing(hills, takes):
    with Corpus.open(hills, write=True) as corpus:
        corpus.add(takes.points("face"))
        with pytest.raises(BadInput, match="only bodies stand on a ground"):
            corpus.set_ground("face", Ground(0.0))
    with Corpus.open(hills) as corpus, pytest.raises(CorpusError, match="open for reading only"):
        corpus.set_ground("hill", None)


def test_given_boxes_go_into_views_as_they_are(tmp_path):
    walk = perform_supports("stairs", 82)
    box = walk.ground.boxes[0]
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("stairs", walk.motion, MADE), floor_height=0.0)
        corpus.set_ground("stairs", walk.ground)
        tops = {round(support.box.top, 3) for support in make_view(corpus, ["stairs"]).footing("stairs").supports}
    assert round(box.top, 3) in tops


def test_a_ground_that_is_moved_is_another(hills, hill):
    moved = hill.ground.moved(Placement(0.3, np.array([1.0, 2.0])))
    with Corpus.open(hills, write=True) as corpus:
        before = corpus.info("hill").ground
        corpus.set_ground("hill", moved)
        assert corpus.info("hill").ground != before
        assert corpus.ground("hill").to_data() == moved.to_data()
        corpus.set_ground("hill", Ground(0.0, (Box((0, 0), (1, 1), 0.0, 0.1, 0.0),), Terrain((0, 0), 1.0, [[0.0]])))
        assert corpus.ground("hill").boxes[0].top == 0.1
