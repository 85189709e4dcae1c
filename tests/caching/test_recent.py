"""The bounded cache: what was put there last stays."""

from concurrent.futures import ThreadPoolExecutor

from motionloom.caching import Recent


def test_of_more_than_it_may_have_the_first_go():
    recent = Recent(2)
    assert recent.put("a", 1) == recent.put("b", 2) == []
    assert recent.put("c", 3) == [1]
    assert [recent.get(key) for key in "abc"] == [None, 2, 3]
    assert len(recent) == 2


def test_what_is_put_again_is_the_newest_and_what_is_looked_at_is_not():
    recent = Recent(2)
    for key in "aba":
        recent.put(key, key)
    recent.get("b")
    assert recent.put("c", "c") == ["b"]


def test_what_is_updated_keeps_its_turn_and_what_is_gone_is_not_kept_again():
    recent = Recent(2)
    recent.put("a", 1)
    recent.put("b", 2)
    recent.update("a", 10)
    recent.update("x", 0)
    assert recent.get("a") == 10 and recent.get("x") is None
    assert recent.put("c", 3) == [10]


def test_what_is_taken_out_is_gone():
    recent = Recent(2)
    recent.put("a", 1)
    assert recent.pop("a") == 1
    assert recent.pop("a") is None
    assert len(recent) == 0


def test_threads_may_share_it():
    recent = Recent(5)
    with ThreadPoolExecutor(8) as pool:
        gone = sum(pool.map(lambda number: len(recent.put(number, number)), range(2000)))
    assert len(recent) == 5 and gone == 1995
