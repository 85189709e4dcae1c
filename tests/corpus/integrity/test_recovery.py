"""A damaged catalogue is made anew from what can be read of it; no row is invented or altered."""

import os
import shutil
import sys
from collections import Counter

import numpy as np
import pytest

from motionloom.corpus import Contact, Corpus, Event, Label, Verified, check, make_layers
from motionloom.corpus.models import keep_model
from motionloom.errors import CorpusError

SEEDS = 100
# what of each table its indexes or digests cover: everything that people have done, and what takes are
COVERED = {
    "labels": "take, label, start, stop, source",
    "contacts": "take, point, start, stop, source",
    "events": "take, kind, frame, source, data",
    "verified": "take, label, start, stop",
    "listed": "take, label",
    "skeletons": "digest, hierarchy",
    "takes": "id, name, kind, n_frames, fps, skeleton, point_names, digest, file, crc",
}


@pytest.fixture(scope="module")
def rich(tmp_path_factory, takes):
    """The folder of a corpus with takes, hundreds of labels, contacts, events, verified ranges, layers and a model."""
    folder = tmp_path_factory.mktemp("rich") / "corpus"
    with Corpus.create(folder) as corpus:
        for number in range(12):
            corpus.add(takes.body(f"walks/{number:02d}", seed=number, n_frames=40), floor_height=0.01 * number)
        corpus.add(takes.points("face"))
        for number in range(12):
            name = f"walks/{number:02d}"
            corpus.add_labels([Label(name, f"label {i % 9}", i, i + 1 + number % 3) for i in range(38)])
            corpus.add_contacts([Contact(name, "left_heel", i, i + 2) for i in range(0, 30, 3)])
            corpus.add_events([Event(name, "step", i, "user", {"foot": "left", "number": i}) for i in range(0, 40, 5)])
            corpus.verify([Verified(name, "label 3", 0, 20 + number)])
        make_layers(corpus, layers=["facing", "contacts"], workers=0)
        keep_model(corpus, "kind", "key", {"a": np.ones(3)}, settings={}, takes=[], code_version=None)
        corpus.remove("walks/11")
    return folder


@pytest.fixture
def copy(rich, tmp_path):
    shutil.copytree(rich, tmp_path / "corpus")
    return tmp_path / "corpus"


def rows_of(folder) -> dict[str, Counter]:
    with Corpus.open(folder) as corpus:
        return {
            table: Counter(corpus.connection.execute(f"SELECT {columns} FROM {table}").fetchall())
            for table, columns in COVERED.items()
        }


def usable_rows_of(folder) -> dict[str, Counter]:
    """As `rows_of`, without takes that are in quarantine."""
    rows = rows_of(folder)
    with Corpus.open(folder) as corpus:
        query = "SELECT id FROM takes WHERE removed_because LIKE '%damaged%'"
        quarantined = {take for (take,) in corpus.connection.execute(query)}
    rows["takes"] = Counter({row: n for row, n in rows["takes"].items() if row[0] not in quarantined})
    return rows


def damage(content: bytes, rng: np.random.Generator) -> bytes:
    """Damage a file as disks and people do; the kind and the places are random."""
    changed = bytearray(content)
    kind = rng.integers(7)
    place = int(rng.integers(len(content)))
    page = place // 4096 * 4096
    noise = rng.integers(256, size=4096, dtype=np.uint8).tobytes()
    if kind == 0:
        changed[place] ^= 1 << int(rng.integers(8))
    elif kind == 1:
        for other in rng.integers(len(content), size=30):
            changed[other] = rng.integers(256)
    elif kind == 2:
        changed[place // 512 * 512 : place // 512 * 512 + 512] = bytes(512)
    elif kind == 3:
        changed[page : page + 4096] = noise
    elif kind == 4:
        del changed[max(place, 512) :]
    elif kind == 5:
        other = int(rng.integers(len(content) // 4096)) * 4096
        changed[page : page + 4096] = content[other : other + 4096]
        changed[other : other + 4096] = content[page : page + 4096]
    else:
        length = int(rng.integers(1, 200))
        changed[place : place + length] = noise[:length]
    return bytes(changed)


def repair_and_compare(folder, original: dict[str, Counter]) -> str:
    """Repair a corpus; what it then has must be part of the original, and clean."""
    try:
        report = check(folder, repair=True)
    except CorpusError as error:
        assert "catalogue" in str(error) or "format" in str(error), error
        return "refused"
    again = check(folder)
    if any("the catalogue is damaged" in problem.message for problem in again.problems):
        assert not report.is_clean
        return "not recovered"
    assert again.problems == (), [str(problem) for problem in again.problems]
    for table, rows in usable_rows_of(folder).items():
        if table == "takes":
            rows = Counter({row: n for row, n in rows.items() if not row[1].startswith("recovered/")})
        assert rows <= original[table], (table, rows - original[table])
    made_anew = any("made anew" in problem.message for problem in report.problems)
    return "recovered" if made_anew else "repaired" if report.problems else "not noticed"


def test_after_damage_at_random_places_a_repair_leaves_a_part_of_the_rows_and_no_others(copy, rich):
    original = rows_of(rich)
    good = (rich / "catalogue.sqlite").read_bytes()
    outcomes: Counter = Counter()
    for seed in range(SEEDS):
        shutil.rmtree(copy)
        shutil.copytree(rich, copy)
        for left in ("catalogue.sqlite-wal", "catalogue.sqlite-shm"):
            (copy / left).unlink(missing_ok=True)
        (copy / "catalogue.sqlite").write_bytes(damage(good, np.random.default_rng(seed)))
        outcomes[repair_and_compare(copy, original)] += 1
    assert outcomes["recovered"] >= SEEDS // 2, outcomes
    assert outcomes["refused"] + outcomes["not recovered"] <= SEEDS // 5, outcomes


def root_of(folder, name: str) -> int:
    with Corpus.open(folder) as corpus:
        row = corpus.connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [name]).fetchone()
        return row[0]


def page_with_take(folder, name: str) -> int:
    """The page of the table of takes that has the row of a take."""
    content = (folder / "catalogue.sqlite").read_bytes()
    pages = [content[start : start + 4096] for start in range(0, len(content), 4096)]
    return next(n for n, page in enumerate(pages, 1) if page[0] == 13 and name.encode() in page and b".bvh" in page)


def destroy_page(folder, number: int) -> None:
    path = folder / "catalogue.sqlite"
    content = bytearray(path.read_bytes())
    content[(number - 1) * 4096 : number * 4096] = bytes(4096)
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("index", ["sqlite_autoindex_labels_1", "take_names", "sqlite_autoindex_events_1"])
def test_a_damaged_index_is_rebuilt_and_nothing_is_lost(copy, rich, index):
    destroy_page(copy, root_of(rich, index))
    (found,) = check(copy).problems
    assert "--repair` recovers what can be read" in str(found)
    report = check(copy, repair=True)
    assert report.is_clean
    assert "made anew: 12 takes, 456 labels" in str(report.problems[0])
    assert "the damaged file is quarantine/catalogue.sqlite-" in str(report.problems[0])
    assert rows_of(copy) == rows_of(rich)
    assert check(copy).problems == ()


@pytest.mark.parametrize("table", ["labels", "contacts", "events", "verified", "listed"])
def test_a_damaged_table_is_read_from_its_index(copy, rich, table):
    destroy_page(copy, root_of(rich, table))
    check(copy, repair=True)
    assert rows_of(copy) == rows_of(rich)
    assert check(copy).problems == ()


def test_takes_whose_rows_are_lost_are_found_again_by_the_content_of_their_arrays(copy, rich):
    with Corpus.open(rich) as corpus:
        frames = {name: np.array(corpus.frames(name)) for name in corpus.names()}
        labels = corpus.labels()
    destroy_page(copy, page_with_take(rich, "walks/03"))
    report = check(copy, repair=True)
    anew = [problem.subject for problem in report.problems if "made anew from its array" in problem.message]
    assert "walks/03" in anew
    assert check(copy).problems == ()
    with Corpus.open(copy) as corpus:
        assert corpus.names() == sorted(frames)
        assert corpus.labels() == labels
        for name in frames:
            np.testing.assert_array_equal(corpus.frames(name), frames[name])
        assert any("lost and made anew" in flag.message for flag in corpus.info("walks/03").flags)


def test_a_take_that_is_lost_with_its_array_keeps_its_labels_until_it_is_imported_again(copy, rich, takes):
    with Corpus.open(rich) as corpus:
        (file,) = corpus.connection.execute("SELECT file FROM takes WHERE name = 'walks/03'").fetchone()
        labels = corpus.labels("walks/03")
    destroy_page(copy, page_with_take(rich, "walks/03"))
    (copy / "arrays" / file).unlink()
    report = check(copy, repair=True)
    assert any(problem.subject == "walks/03" and "import its file again" in problem.message for problem in report.left)
    with Corpus.open(copy, write=True) as corpus:
        assert "walks/03" not in corpus.names()
        corpus.add(takes.body("walks/03", seed=3, n_frames=40))
        assert corpus.labels("walks/03") == labels
    assert check(copy).problems == ()


def test_a_file_without_its_header_is_recovered(copy, rich):
    path = copy / "catalogue.sqlite"
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    with pytest.raises(CorpusError, match="is not the catalogue of a corpus"):
        check(copy)
    check(copy, repair=True)
    assert rows_of(copy) == rows_of(rich)
    assert check(copy).problems == ()


def test_a_file_without_its_first_page_is_recovered(copy, rich):
    destroy_page(copy, 1)
    check(copy, repair=True)
    assert rows_of(copy) == rows_of(rich)
    assert check(copy).problems == ()


def test_a_file_that_is_no_catalogue_is_left_alone(copy):
    path = copy / "catalogue.sqlite"
    for content in (b"", b"hello", b"x" * 100_000):
        path.write_bytes(content)
        with pytest.raises(CorpusError, match="is not the catalogue of a corpus"):
            check(copy, repair=True)
        assert path.read_bytes() == content


def leave_a_log(folder, n_labels: int) -> None:
    """Write labels in a process that is killed, so that they are in the log alone."""
    child = os.fork()
    if child == 0:
        try:
            corpus = Corpus.open(folder, write=True)
            for number in range(n_labels):
                corpus.add_labels([Label("walks/00", "late", number, number + 1)])
        finally:
            os._exit(9)
    os.waitpid(child, 0)


def test_changes_in_the_log_are_recovered_too(copy, rich):
    leave_a_log(copy, 20)
    destroy_page(copy, root_of(rich, "take_names"))
    check(copy, repair=True)
    with Corpus.open(copy) as corpus:
        assert len([label for label in corpus.labels("walks/00") if label.label == "late"]) == 20
    assert check(copy).problems == ()


def test_a_damaged_log_is_reported_and_kept(copy):
    leave_a_log(copy, 20)
    log = copy / "catalogue.sqlite-wal"
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 1
    log.write_bytes(bytes(content))
    (found,) = check(copy).problems
    assert "the log of the catalogue is damaged" in found.message
    (found,) = check(copy, repair=True).problems
    (kept,) = (copy / "quarantine").iterdir()
    assert kept.read_bytes() == bytes(content)
    assert check(copy).problems == ()
    with Corpus.open(copy) as corpus:
        frames = [label.start for label in corpus.labels("walks/00") if label.label == "late"]
    assert 0 < len(frames) < 20
    assert frames == list(range(len(frames)))


@pytest.mark.parametrize("step", ["os.fsync", "os.replace", "motionloom.corpus.integrity.recovery.sync_folder"])
def test_a_repair_that_is_killed_can_be_done_again(copy, rich, step):
    original = rows_of(rich)
    root = root_of(rich, "sqlite_autoindex_labels_1")
    leave_a_log(copy, 5)
    destroy_page(copy, root)
    for count in range(8):
        child = os.fork()
        if child == 0:
            module, _, function = step.rpartition(".")
            real, left = getattr(sys.modules[module], function), [count]

            def crash(*arguments, real=real, left=left):
                if not left[0]:
                    os._exit(9)
                left[0] -= 1
                return real(*arguments)

            setattr(sys.modules[module], function, crash)
            try:
                check(copy, repair=True)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
    check(copy, repair=True)
    found = rows_of(copy)
    assert sum(found["labels"].values()) == sum(original["labels"].values()) + 5
    assert original["labels"] <= found["labels"]
    assert check(copy).problems == ()
