"""Progress: rate and time left, on a terminal and without one."""

from motionloom.cli import console


def test_the_pace_names_what_is_done_the_rate_and_the_time_left():
    assert console.describe_pace(240, 2058, 12.0, "files") == "240 of 2058 files, 20.0 files/s, 90.9 s left"
    assert console.describe_pace(1, 2, 0.0, "files").startswith("1 of 2 files, ")


def test_without_a_terminal_a_long_import_prints_a_line_now_and_then(capsys):
    clock = iter([0.0, 1.0, 31.0, 31.0, 40.0, 200.0])
    update = console._print_pace("importing", "files", lambda: next(clock))
    for done in (10, 20, 30, 100):
        update(done, 100)
    assert capsys.readouterr().err == "importing: 20 of 100 files, 0.6 files/s, 2.1 min left\n"


def test_a_bar_on_a_terminal_shows_the_rate(monkeypatch, capsys):
    monkeypatch.setattr(console.sys.stderr, "isatty", lambda: True, raising=False)
    with console.progress_bar("importing", "files") as progress:
        progress(3, 10)
        progress(10, 10)
    assert "files/s" in capsys.readouterr().err
