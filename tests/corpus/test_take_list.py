"""The quick list of takes says what the slow one says."""

from motionloom.corpus import Corpus, Label
from motionloom.corpus.take_list import list_takes, measure_size


def test_the_list_agrees_with_what_is_known_about_each_take(takes, tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(takes.body("walks/b", seed=1))
        corpus.add(takes.body("a", seed=2), floor_height=0.1)
        corpus.add(takes.points("face"))
        corpus.add(takes.body("gone", seed=3))
        corpus.add_labels(
            [Label("a", "walk", 0, 5), Label("a", "walk", 7, 9), Label("a", "run", 1, 3), Label("gone", "x", 0, 2)]
        )
        corpus.remove("gone")
        listed, infos = list_takes(corpus), corpus.infos()
        assert [row.name for row in listed] == ["a", "face", "walks/b"]
        for row, info in zip(listed, infos):
            assert (row.name, row.kind, row.n_frames, row.fps) == (info.name, info.kind, info.n_frames, info.fps)
            assert (row.floor_height, row.skeleton, row.digest) == (info.floor_height, info.skeleton, info.digest)
            assert (row.source, row.format) == (info.source.path, info.source.format)
            assert row.warnings == tuple(flag.message for flag in info.flags)
        assert listed[0].labels == {"walk": 7, "run": 2}
        assert listed[1].labels == {}
        assert measure_size(corpus) == (3, sum(info.duration for info in infos))


def test_a_damaged_row_is_listed_as_far_as_it_can_be_read(takes, tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(takes.body("a"))
        corpus.connection.execute("UPDATE takes SET source = 'no json', findings = '{'")
        (one,) = list_takes(corpus)
        assert (one.name, one.source) == ("a", "")
        assert len(one.warnings) == 1
