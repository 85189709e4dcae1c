"""The corpus of very many takes that the studio is measured with is as sound as any other."""

from benchmarks.studio.many_takes import make_corpus

from motionloom.corpus import Corpus
from motionloom.corpus.integrity.check import check


def test_its_arrays_are_intact(tmp_path):
    folder = make_corpus(tmp_path / "many", n_takes=9)
    assert check(folder).problems == ()
    with Corpus.open(folder) as corpus:
        assert {corpus.take(name).motion.n_frames for name in corpus.names()} == {30}
