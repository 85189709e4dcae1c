"""A floor far from that of the body's other takes: `info` says so, and `floor --body` corrects it."""

from motionloom.corpus import Corpus, import_files


def test_takes_that_are_there_already_stay_and_info_says_so(motionloom, tmp_path, floors):
    with Corpus.create(tmp_path / "corpus") as corpus:
        import_files(corpus, [floors.write(tmp_path / "first", {}, odd=floors.sinking())])
        before = corpus.info("odd")
        import_files(corpus, [floors.write(tmp_path / "later", floors.motions)])
        assert corpus.info("odd") == before and before.floor_height < -0.3
    listed = motionloom("info", tmp_path / "corpus")
    assert "far from that of the 4 takes" in listed.out
    shown = motionloom("info", tmp_path / "corpus", "odd")
    assert "look at: the floor is at -3" in shown.out and "motionloom floor --body" in shown.out
    ran = motionloom("floor", tmp_path / "corpus", "odd", "--body")
    assert ran.code == 0 and "(given)" in ran.out
    with Corpus.open(tmp_path / "corpus") as corpus:
        assert abs(corpus.info("odd").floor_height) < 0.03
    assert "far from" not in motionloom("info", tmp_path / "corpus").out


def test_a_body_of_two_takes_has_no_floor_to_be_judged_by(motionloom, tmp_path, floors):
    with Corpus.create(tmp_path / "corpus") as corpus:
        files = floors.write(tmp_path / "data", {"walk": floors.motions["walk_slow"]}, odd=floors.sinking())
        import_files(corpus, [files])
        assert corpus.info("odd").floor_height < -0.3
        assert "the other take of this body" in corpus.info("odd").flags[-1].message
    ran = motionloom("floor", tmp_path / "corpus", "odd", "--body")
    assert ran.code == 2 and "needs three takes of the same body" in ran.err


def test_what_keeps_new_takes_from_being_compared_is_said(motionloom, tmp_path, floors):
    with Corpus.create(tmp_path / "corpus") as corpus:
        import_files(corpus, [floors.write(tmp_path / "first", {}, old=floors.motions["walk_slow"])])
        corpus.connection.execute("UPDATE takes SET fps = 'fast' WHERE name = 'old'")
    ran = motionloom("import", tmp_path / "corpus", floors.write(tmp_path / "data", {}, new=floors.standing))
    assert ran.code == 0
    assert ran.err.count("the new takes were not compared with the others: ") == 1
