"""What methods may choose from: recordings; motions that were put together only where they are named in full."""

import pytest

from motionloom.corpus import Source, Take, TakeFinder
from motionloom.corpus.material import COMPOSED, MADE_BY, is_composed, named_only, recordings
from motionloom.corpus.take_list import measure_size
from motionloom.corpus.take_names import choose_takes
from motionloom.errors import BadInput


@pytest.fixture
def mixed(corpus, takes, make):
    """Two recordings, one mirrored copy, and one motion that was put together."""
    corpus.add(takes.body("walks/a", seed=1))
    corpus.add(takes.body("walks/b", seed=2))
    made = Source("walks/a, mirrored", MADE_BY, "1", 60.0, 1.0)
    corpus.add(Take("walks/a mirrored", make.motion(n_frames=12, seed=3), made))
    corpus.add(Take("new/mixed", make.motion(n_frames=600, seed=4), Source(COMPOSED, MADE_BY, "2", 60.0, 1.0)))
    return corpus


def test_what_was_put_together_is_told_from_recordings_and_from_what_was_made_of_one(mixed):
    assert [info.name for info in mixed.infos() if is_composed(info)] == ["new/mixed"]
    assert [info.name for info in recordings(mixed.infos())] == ["walks/a", "walks/a mirrored", "walks/b"]


def test_totals_count_recordings(mixed):
    assert measure_size(mixed) == (3, pytest.approx(36 / 60))


def test_totals_can_be_told_where_a_row_is_damaged(mixed):
    mixed.connection.execute("UPDATE takes SET source = 'no json' WHERE name = 'walks/a'")
    assert measure_size(mixed) == (3, pytest.approx(36 / 60))


def test_patterns_and_suffixes_do_not_name_what_was_put_together(mixed):
    infos = mixed.infos()
    known, only = [info.name for info in recordings(infos)], named_only(infos)
    for pattern in ("*", "*/*", "new/*", "new/mixe?"):
        found = choose_takes(known, [pattern, "walks/a"], named_only=only) if pattern.startswith("*") else None
        if found is None:
            with pytest.raises(BadInput, match=r"kept results.*new/mixed"):
                choose_takes(known, [pattern], named_only=only)
        else:
            assert "new/mixed" not in found
    assert choose_takes(known, ["new/mixed"], named_only=only) == ["new/mixed"]
    finder = TakeFinder(known, named_only=only)
    assert finder.find("new/mixed") == "new/mixed" and finder.find("b") == "walks/b"
    with pytest.raises(BadInput, match=r"kept result.*new/mixed"):
        finder.find("mixed")
