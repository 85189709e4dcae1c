"""`motionloom annotate`: label a corpus quickly; a classifier learns from what was verified and proposes the rest."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.console import DONE, PARTLY, clock, count, note, progress_bar, say, say_json, say_table
from motionloom.cli.corpora import CorpusPath, Json, expand
from motionloom.errors import BadInput, MotionloomError

if TYPE_CHECKING:
    from motionloom.corpus import Corpus, Label
    from motionloom.corpus.answers import Answers
    from motionloom.corpus.ranges import Range
    from motionloom.corpus.tracks import Said
    from motionloom.methods.annotate.labelling.sessions import Session

Takes = Annotated[
    list[str] | None, typer.Argument(metavar="[TAKE...]", help="Takes, unique ends of names, or 'walk/*'.")
]
SHOWN = 40  # rows of a table of proposals


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    group = typer.Typer(
        help="Label a corpus quickly: verify some takes, let a classifier propose the rest, accept or correct.",
        rich_markup_mode=None,
    )
    group.command("learn")(learn)
    group.command("propose")(propose)
    group.command("accept")(accept)
    group.command("next")(next_)
    group.command("status")(status)
    group.command("agree")(agree)
    app.add_typer(group, name="annotate")


def learn(
    corpus: CorpusPath,
    labels: Annotated[str | None, typer.Option(help="Words to learn: walk,run; by default all verified.")] = None,
    takes: Annotated[
        list[str] | None, typer.Option(help="Takes to annotate, such as 'walk/*'; by default all.")
    ] = None,
    classifier: Annotated[str, typer.Option(help="usual (needs fewer corrections) or paper (as published).")] = "usual",
    kernel: Annotated[str | None, typer.Option(help="laplace, exp(-d/gamma); gauss, exp(-(d/gamma)^2); both.")] = None,
    gamma: Annotated[float | None, typer.Option(help="Width of the kernel in mean distances; else chosen.")] = None,
    as_json: Json = False,
) -> None:
    """Learn labels from what was verified, and keep the settings for the other commands."""
    from motionloom.corpus import Corpus
    from motionloom.methods.annotate.labelling import sessions
    from motionloom.methods.annotate.labelling.summaries import what_was_learnt

    words = [word.strip() for word in labels.split(",") if word.strip()] if labels is not None else None
    choice = sessions.Choice(words, takes or None, classifier, kernel, gamma)
    with Corpus.open(corpus, write=True) as store, progress_bar("conforming takes") as progress:
        session = sessions.learn(store, choice, progress=progress)
        sessions.remember(store, choice)
        tested = sessions.cross_validate(session)
    rows = what_was_learnt(session, tested)
    if as_json:
        say_json({"labels": rows, "takes": len(session.verified_takes), "seconds": round(session.seconds, 3)})
        return
    say_table(
        ["label", "verified s", "holds s", "takes", "agreement", "F1"],
        [[r["label"], f"{r['verified']:.1f}", f"{r['holds']:.1f}", str(r["takes"]), _share(r["agreement"]),
          _number(r["f1"])] for r in rows],
        {1, 2, 3, 4, 5},
    )  # fmt: skip
    say(
        f"\nlearnt {count(len(rows), 'label')} from {count(len(session.verified_takes), 'take')} in "
        f"{session.seconds:.1f} s; agreement and F1 are for takes that were left out of learning"
    )
    say(f"now: motionloom annotate propose {quote(str(corpus))}")


def propose(
    corpus: CorpusPath,
    takes: Takes = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.csv", help="Write what stands, to correct it.", readable=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Classify takes and keep the proposals, with confidence; verified frames are left alone."""
    from motionloom.corpus import Corpus, export_proposals
    from motionloom.methods.annotate.labelling import sessions
    from motionloom.methods.annotate.labelling.summaries import what_is_proposed

    with Corpus.open(corpus, write=True) as store, progress_bar("conforming takes") as progress:
        session = sessions.learn(store, sessions.remembered(store), progress=progress)
        names = expand(list(session.view.names), takes) if takes else list(session.view.names)
        sessions.propose(store, session, names)
        rows = what_is_proposed(store, names)
        n_open = len({one.take for one in store.classified()} & set(names))
        if out is not None:
            export_proposals(store, out, names, to_correct=True)
    if as_json:
        say_json({"takes": names, "proposals": rows})
        return
    shown = [[r["take"], r["label"], f"{100 * r['share']:.0f} %", f"{r['confidence']:.2f}"] for r in rows[:SHOWN]]
    if shown:
        say_table(["take", "label", "share", "confidence"], shown, {2, 3})
        if len(rows) > SHOWN:
            note(f"... and {len(rows) - SHOWN} more rows; --json lists them all")
        say()
    say(f"{corpus}: {count(len({r['take'] for r in rows}), 'take')} with proposals, of {n_open} not wholly verified")
    if out is not None:
        say(f"{out}: correct it, then: motionloom annotate accept {quote(str(corpus))} --corrected {out} TAKE...")


def accept(
    corpus: CorpusPath,
    takes: Takes = None,
    labels: Annotated[list[str] | None, typer.Option("--label", help="Only these labels; can be repeated.")] = None,
    start: Annotated[int | None, typer.Option("--from", min=0, help="First frame that was looked at.")] = None,
    stop: Annotated[int | None, typer.Option("--to", min=1, help="The frame after the last.")] = None,
    corrected: Annotated[
        Path | None,
        typer.Option(metavar="LABELS.csv", help="What holds instead; what is not in it does not.", readable=False),
    ] = None,
    as_json: Json = False,
) -> int:
    """Say that labels of takes are right as they stand, or as a corrected file has them; then learn again."""
    from motionloom.corpus import Corpus
    from motionloom.corpus.answers import Answers, read_answers
    from motionloom.corpus.tracks import read_said
    from motionloom.methods.annotate.labelling.learning_curve import accept_and_note

    with Corpus.open(corpus, write=True) as store:
        names = expand(store.names(), takes or [])
        given = _read_corrected(store, corrected) if corrected is not None else None
        said = read_said(store)
        accepted = [_look_at(store, said, name, labels, start, stop, given) for name in names]
        before = sum(read_answers(store, names).values(), Answers())
        for name, window, ranges in accepted:
            accept_and_note(store, name, list(ranges), *window, ranges)
        fresh = sum(read_answers(store, names).values(), Answers()) - before
        so_far = sum(read_answers(store).values(), Answers())
        session, n_new, problem = _learn_again(store)
    if as_json:
        say_json(
            {
                "accepted": [{"take": n, "start": w[0], "stop": w[1], "labels": sorted(r)} for n, w, r in accepted],
                "answers": _answers_as_json(fresh),
                "so_far": _answers_as_json(so_far),
                "learnt_in": None if session is None else round(session.seconds, 3),
                "problem": problem,
            }
        )
        return DONE if problem is None else PARTLY
    for name, (first, end), ranges in accepted:
        held = sorted(label for label, there in ranges.items() if there)
        hold = ", ".join(held) or "none"
        say(f"{name}: frames [{first}, {end}) verified for {count(len(ranges), 'label')}; of these hold: {hold}")
    if fresh.seconds:
        right = f"{fresh.right_proposals} of {count(fresh.proposals, 'proposal')} right"
        say(f"{right}, {count(fresh.corrections, 'correction')}")
    if so_far.seconds:
        say(_so_far(so_far))
    if problem is not None:
        note(f"motionloom: accepted, but not learnt again: {problem}")
        return PARTLY
    if session is None:
        say(f"now: motionloom annotate learn {quote(str(corpus))}")
    else:
        also = f", {count(n_new, 'take')} classified again" if n_new else ""
        say(f"learnt again in {session.seconds:.1f} s{also}")
        say(f"now: motionloom annotate next {quote(str(corpus))}")
    return DONE


def next_(
    corpus: CorpusPath,
    longest: Annotated[float, typer.Option(min=1.0, help="Seconds; of longer takes a part is offered.")] = 30.0,
    as_json: Json = False,
) -> None:
    """Say which take or range teaches the most when it is verified next, and how to go about it."""
    from motionloom.corpus import Corpus
    from motionloom.methods.annotate.labelling import sessions

    with Corpus.open(corpus) as store, progress_bar("conforming takes") as progress:
        session = sessions.learn(store, sessions.remembered(store), maybe_nothing=True, progress=progress)
        found = sessions.find_next(session, longest)
    if found is None:
        if as_json:
            say_json({"take": None})
        else:
            say(f"{corpus}: everything is verified for {', '.join(session.model.labels)}")
        return
    steps = _steps(quote(str(corpus)), found, can_propose=bool(session.model.labels))
    if as_json:
        say_json({**found, "commands": [command for _, command in steps]})
        return
    say(f"{found['take']}, frames [{found['start']}, {found['stop']}), {clock(found['seconds'])}: {found['why']}")
    for words, command in steps:
        say(f"  {words}: {command}")


def _steps(corpus: str, found: dict[str, Any], can_propose: bool) -> list[tuple[str, str]]:
    """What to do with frames that teach the most, in words and as commands."""
    take = quote(found["take"])
    is_whole = found["start"] == 0 and found["stop"] == found["n_frames"]
    looking = "" if is_whole else f" --start {found['start']} --stop {found['stop']}"
    part = "" if is_whole else f" --from {found['start']} --to {found['stop']}"
    look = "look at it", f"motionloom show {corpus} {take} -o next.mp4{looking}"
    correct = f"motionloom annotate accept {corpus} {take}{part} --corrected next.csv"
    if not can_propose:
        return [look, ("write its labels to next.csv (take,label,start,stop), then", correct)]
    return [
        look,
        ("write what is proposed", f"motionloom annotate propose {corpus} {take} -o next.csv"),
        ("if that is right", f"motionloom annotate accept {corpus} {take}{part}"),
        ("else correct next.csv, then", correct),
    ]


def status(corpus: CorpusPath, as_json: Json = False) -> None:
    """Say how much of each label is verified and proposed, and the agreement so far."""
    from motionloom.corpus import Corpus
    from motionloom.corpus.answers import Answers, read_answers
    from motionloom.methods.annotate.labelling.summaries import how_it_stands

    with Corpus.open(corpus) as store:
        rows = how_it_stands(store)
        answers = sum(read_answers(store).values(), Answers())
        seconds = sum(info.duration for info in store.infos())
    if as_json:
        say_json({"labels": rows, "seconds": seconds, "so_far": _answers_as_json(answers)})
        return
    if rows:
        say_table(
            ["label", "verified s", "holds s", "takes", "proposed s", "decided s", "agreement", "corrections"],
            [[r["label"], f"{r['verified']:.1f}", f"{r['holds']:.1f}", str(r["takes"]), f"{r['proposed']:.1f}",
              f"{r['decided']:.1f}", _share(r["agreement"]), str(r["corrections"])] for r in rows],
            {1, 2, 3, 4, 5, 6, 7},
        )  # fmt: skip
        say()
    say(_so_far(answers) if answers.seconds else f"{corpus}: nothing that was proposed has been verified yet")


def agree(
    first: Annotated[Path, typer.Argument(metavar="FIRST.csv", help="One person's labels.", readable=False)],
    second: Annotated[Path, typer.Argument(metavar="SECOND.csv", help="Another's.", readable=False)],
    border: Annotated[int, typer.Option(min=0, help="Frames around beginnings and ends that do not count.")] = 0,
    as_json: Json = False,
) -> None:
    """Say how far two people's label files agree, in the takes that both have labelled."""
    from motionloom.corpus import compare_labels, read_label_file

    found = compare_labels(read_label_file(first), read_label_file(second), border=border)
    if not found.takes:
        raise BadInput(f"{first} and {second} have no take in common, so there is nothing to compare")
    rows: list[dict[str, Any]] = [
        {"label": one.label, "both": one.both, "first": one.only_first, "second": one.only_second,
         "neither": one.neither, "share": one.share, "f1": one.f1, "kappa": one.kappa}
        for one in (*found.labels, found.total)
    ]  # fmt: skip
    if as_json:
        told = {"takes": list(found.takes), "left_out": list(found.left_out)}
        say_json({**told, "labels": rows[:-1], "all": rows[-1]})
        return
    say_table(
        ["label", "both", "only first", "only second", "same", "F1", "kappa"],
        [[r["label"], str(r["both"]), str(r["first"]), str(r["second"]), _share(r["share"]), _number(r["f1"]),
          _number(r["kappa"])] for r in rows],
        {1, 2, 3, 4, 5, 6},
    )  # fmt: skip
    say(f"\nframes of {count(len(found.takes), 'take')}; same: the share of frames about which both say the same")
    if found.left_out:
        note(f"left out, because only one file speaks of them: {', '.join(found.left_out[:SHOWN])}")


def _learn_again(store: Corpus) -> tuple[Session | None, int, str | None]:
    """What was learnt, how many takes were classified again, and why not; what was accepted stays accepted."""
    from motionloom.methods.annotate.labelling.sessions import learn_again

    try:
        with progress_bar("conforming takes") as progress:
            return (*learn_again(store, progress), None)
    except MotionloomError as error:
        return None, 0, str(error)


def _look_at(
    store: Corpus,
    said: Said,
    name: str,
    labels: list[str] | None,
    start: int | None,
    stop: int | None,
    given: list[Label] | None,
) -> tuple[str, Range, dict[str, list[Range]]]:
    """What a person accepts of a take: its name, the frames looked at, and where each label holds."""
    from motionloom.corpus.standing import corrected_ranges, decided_labels, standing_ranges
    from motionloom.methods.annotate.labelling.sessions import kept_choice

    n_frames = store.info(name).n_frames
    window = start or 0, n_frames if stop is None else stop
    if not 0 <= window[0] < window[1] <= n_frames:
        raise BadInput(f"{name}: frames [{window[0]}, {window[1]}) cannot be accepted, the take has [0, {n_frames})")
    if given is not None:
        decided = {label for take, label in said.decided if take == name}
        written = {one.label for one in given}
        known = written | said.words(store.names())
        strangers = [label for label in labels or [] if label not in known]
        if strangers:
            raise BadInput(
                f"label '{strangers[0]}' is neither in the corrected file nor used in the corpus; "
                f"known are {', '.join(sorted(known)) or 'none'}"
            )
        words = labels or sorted(written | decided | set(kept_choice(store).labels or []))
        return name, window, corrected_ranges(given, name, words, *window)
    words = labels or decided_labels(store, said, name, *window)
    if not words:
        raise BadInput(
            f"{name}: nothing is said about it yet, so there is nothing to accept; `motionloom annotate propose` "
            "classifies it, and --corrected LABELS.csv says what holds"
        )
    return name, window, standing_ranges(store, said, name, words, *window)


def _read_corrected(store: Corpus, path: Path) -> list[Label]:
    from motionloom.corpus import read_labels

    labels, refused = read_labels(store, path)
    if refused:
        more = f" ({len(refused) - 1} more rows are no good either)" if len(refused) > 1 else ""
        raise BadInput(f"{refused[0]}{more}; nothing was accepted")
    return labels


def _so_far(answers: Answers) -> str:
    return (
        f"agreement so far: {_share(answers.agreement)} of {clock(answers.seconds)} of labels, "
        f"{answers.right_proposals} of {count(answers.proposals, 'proposal')} right, "
        f"{count(answers.corrections, 'correction')}"
    )


def _answers_as_json(answers: Answers) -> dict[str, Any]:
    from dataclasses import asdict

    return {**asdict(answers), "agreement": answers.agreement}


def _share(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def _number(value: float | None) -> str:
    return "" if value is None else f"{round(value, 2) + 0.0:.2f}"  # no -0.00
