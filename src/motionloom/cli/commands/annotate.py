"""`motionloom annotate`: label a corpus with active learning; a classifier learns from verified labels and proposes."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.commands.corpus import CorpusPath, Json, check_range, expand
from motionloom.cli.console import DONE, PARTLY, clock, count, echo, echo_json, echo_table, note, progress_bar
from motionloom.cli.statistics_renewal import renew_statistics
from motionloom.errors import BadInput, MotionloomError

if TYPE_CHECKING:
    from motionloom.corpus import Corpus, Label
    from motionloom.corpus.labels.frame_ranges import Range
    from motionloom.corpus.labels.label_state import LabelState
    from motionloom.corpus.labels.proposal_accuracy import ProposalAccuracy
    from motionloom.methods.annotate.labelling.sessions import Session

Takes = Annotated[
    list[str] | None,
    typer.Argument(metavar="[TAKE...]", help="Takes: names, unique suffixes of names, or patterns such as 'walk/*'."),
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
    labels: Annotated[
        str | None, typer.Option(help="Labels to learn, such as walk,run; default: all verified labels.")
    ] = None,
    takes: Annotated[list[str] | None, typer.Option(help="Takes to annotate, such as 'walk/*'; default: all.")] = None,
    classifier: Annotated[
        str, typer.Option(help="Classifier: usual (needs fewer corrections) or paper (as published).")
    ] = "usual",
    kernel: Annotated[
        str | None, typer.Option(help="Kernel: laplace, exp(-d/gamma); gauss, exp(-(d/gamma)^2); both, their mean.")
    ] = None,
    gamma: Annotated[
        float | None, typer.Option(help="Kernel width in mean distances between windows; default: by kernel.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Learn labels from verified frames, cross-validate, and store the settings for the other commands."""
    from motionloom.corpus import Corpus
    from motionloom.methods.annotate.labelling import sessions

    words = [word.strip() for word in labels.split(",") if word.strip()] if labels is not None else None
    choice = sessions.Choice(words, takes or None, classifier, kernel, gamma)
    with Corpus.open(corpus, write=True) as store:
        with progress_bar("conforming takes") as progress:
            session = sessions.learn(store, choice, progress=progress)
            _note_left_out(session)
            sessions.remember(store, choice)
            sessions.keep_learnt(store, session)
            tested = sessions.cross_validate(session)
        _show_learnt(corpus, session, tested, as_json)
        renew_statistics(session.view, lambda _: sessions.renew_embedding(session))


def _show_learnt(corpus: Path, session: Session, tested: dict[str, tuple[float, float | None]], as_json: bool) -> None:
    from motionloom.methods.annotate.labelling.summaries import summarize_learning

    rows = summarize_learning(session, tested)
    if as_json:
        echo_json({"labels": rows, "takes": len(session.verified_takes), "seconds": round(session.seconds, 3)})
        return
    echo_table(
        ["label", "verified s", "holds s", "takes", "agreement", "F1"],
        [[r["label"], f"{r['verified']:.1f}", f"{r['holds']:.1f}", str(r["takes"]), _share(r["agreement"]),
          _number(r["f1"])] for r in rows],
        {1, 2, 3, 4, 5},
    )  # fmt: skip
    echo(
        f"\nlearnt {count(len(rows), 'label')} from {count(len(session.verified_takes), 'take')} in "
        f"{session.seconds:.1f} s; agreement and F1 are for takes that were left out of learning"
    )
    echo(f"now: motionloom annotate propose {quote(str(corpus))}")


def _note_left_out(session: Session) -> None:
    from motionloom.conform import describe_left_out

    for sentence in describe_left_out(session.view.left_out):
        note(sentence)


def propose(
    corpus: CorpusPath,
    takes: Takes = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE.csv", help="Write the labels and proposals, to be corrected.", readable=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Classify takes and store the proposals with their confidence; verified frames do not change."""
    from motionloom.corpus import Corpus, export_proposals
    from motionloom.methods.annotate.labelling import sessions
    from motionloom.methods.annotate.labelling.summaries import summarize_proposals

    with Corpus.open(corpus, write=True) as store, progress_bar("conforming takes") as progress:
        session = sessions.learn(store, sessions.remembered(store), progress=progress)
        _note_left_out(session)
        names = expand(list(session.view.names), takes) if takes else list(session.view.names)
        sessions.propose(store, session, names)
        rows = summarize_proposals(store, names)
        n_open = len({classified.take for classified in store.classified()} & set(names))
        if out is not None:
            export_proposals(store, out, names, to_correct=True)
    if as_json:
        echo_json({"takes": names, "proposals": rows})
        return
    shown = [[r["take"], r["label"], f"{100 * r['share']:.0f} %", f"{r['confidence']:.2f}"] for r in rows[:SHOWN]]
    if shown:
        echo_table(["take", "label", "share", "confidence"], shown, {2, 3})
        if len(rows) > SHOWN:
            note(f"... and {len(rows) - SHOWN} more rows; --json lists them all")
        echo()
    echo(f"{corpus}: {count(len({r['take'] for r in rows}), 'take')} with proposals, of {n_open} not wholly verified")
    if out is not None:
        echo(f"{out}: correct it, then: motionloom annotate accept {quote(str(corpus))} --corrected {out} TAKE...")


def accept(
    corpus: CorpusPath,
    takes: Takes = None,
    labels: Annotated[list[str] | None, typer.Option("--label", help="Only these labels; can be repeated.")] = None,
    start: Annotated[int | None, typer.Option("--from", min=0, help="First frame to accept.")] = None,
    stop: Annotated[int | None, typer.Option("--to", min=1, help="Frame after the last to accept.")] = None,
    corrected: Annotated[
        Path | None,
        typer.Option(
            metavar="LABELS.csv", help="Corrected labels; what is not in the file does not hold.", readable=False
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """Accept the labels of takes as proposed, or as in a corrected file, and learn again."""
    from motionloom.corpus import Corpus
    from motionloom.corpus.labels.label_state import read_label_state
    from motionloom.corpus.labels.proposal_accuracy import ProposalAccuracy, measure_proposals
    from motionloom.methods.annotate.labelling.learning_curve import accept_and_note

    with Corpus.open(corpus, write=True) as store:
        names = expand(store.names(), takes or [])
        given = _read_corrected(store, corrected) if corrected is not None else None
        label_state = read_label_state(store)
        accepted = [_labels_to_accept(store, label_state, name, labels, start, stop, given) for name in names]
        before = sum(measure_proposals(store, names).values(), ProposalAccuracy())
        for name, window, ranges in accepted:
            accept_and_note(store, name, list(ranges), *window, ranges)
        fresh = sum(measure_proposals(store, names).values(), ProposalAccuracy()) - before
        so_far = sum(measure_proposals(store).values(), ProposalAccuracy())
        session, n_new, problem = _learn_again(store)
    if as_json:
        echo_json(
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
        echo(f"{name}: frames [{first}, {end}) verified for {count(len(ranges), 'label')}; of these hold: {hold}")
    if fresh.seconds:
        right = f"{fresh.right_proposals} of {count(fresh.proposals, 'proposal')} right"
        echo(f"{right}, {count(fresh.corrections, 'correction')}")
    if so_far.seconds:
        echo(_so_far(so_far))
    if problem is not None:
        note(f"motionloom: accepted, but not learnt again: {problem}")
        return PARTLY
    if session is None:
        echo(f"now: motionloom annotate learn {quote(str(corpus))}")
    else:
        also = f", {count(n_new, 'take')} classified again" if n_new else ""
        echo(f"learnt again in {session.seconds:.1f} s{also}")
        echo(f"now: motionloom annotate next {quote(str(corpus))}")
    return DONE


def next_(
    corpus: CorpusPath,
    longest: Annotated[float, typer.Option(min=1.0, help="Maximum seconds; of longer takes a part is offered.")] = 30.0,
    as_json: Json = False,
) -> None:
    """Find the take or range to verify next (active learning), and print the commands for it."""
    from motionloom.corpus import Corpus
    from motionloom.methods.annotate.labelling import sessions

    with Corpus.open(corpus) as store, progress_bar("conforming takes") as progress:
        session = sessions.learn(store, sessions.remembered(store), maybe_nothing=True, progress=progress)
        found = sessions.find_next(session, longest)
    if found is None:
        if as_json:
            echo_json({"take": None})
        else:
            echo(f"{corpus}: everything is verified for {', '.join(session.model.labels)}")
        return
    steps = _steps(quote(str(corpus)), found, can_propose=bool(session.model.labels))
    if as_json:
        echo_json({**found, "commands": [command for _, command in steps]})
        return
    echo(f"{found['take']}, frames [{found['start']}, {found['stop']}), {clock(found['seconds'])}: {found['why']}")
    for words, command in steps:
        echo(f"  {words}: {command}")


def _steps(corpus: str, found: dict[str, Any], can_propose: bool) -> list[tuple[str, str]]:
    """The next steps for the offered frames: descriptions and commands."""
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
    """Print how much of each label is verified and proposed, and the agreement so far."""
    from motionloom.corpus import Corpus
    from motionloom.corpus.labels.proposal_accuracy import ProposalAccuracy, measure_proposals
    from motionloom.corpus.material import recordings
    from motionloom.methods.annotate.labelling.summaries import summarize_labels

    with Corpus.open(corpus) as store:
        rows = summarize_labels(store)
        answers = sum(measure_proposals(store).values(), ProposalAccuracy())
        seconds = sum(info.duration for info in recordings(store.infos()))
    if as_json:
        echo_json({"labels": rows, "seconds": seconds, "so_far": _answers_as_json(answers)})
        return
    if rows:
        echo_table(
            ["label", "verified s", "holds s", "takes", "proposed s", "decided s", "agreement", "corrections"],
            [[r["label"], f"{r['verified']:.1f}", f"{r['holds']:.1f}", str(r["takes"]), f"{r['proposed']:.1f}",
              f"{r['decided']:.1f}", _share(r["agreement"]), str(r["corrections"])] for r in rows],
            {1, 2, 3, 4, 5, 6, 7},
        )  # fmt: skip
        echo()
    echo(_so_far(answers) if answers.seconds else f"{corpus}: nothing that was proposed has been verified yet")


def agree(
    first: Annotated[Path, typer.Argument(metavar="FIRST.csv", help="Labels of one person.", readable=False)],
    second: Annotated[Path, typer.Argument(metavar="SECOND.csv", help="Labels of another person.", readable=False)],
    border: Annotated[int, typer.Option(min=0, help="Frames around the borders of labels that do not count.")] = 0,
    as_json: Json = False,
) -> None:
    """Compare the label files of two people: agreement, F1 and kappa in takes that both have labelled."""
    from motionloom.corpus import compare_labels, read_label_file

    found = compare_labels(read_label_file(first), read_label_file(second), border=border)
    if not found.takes:
        raise BadInput(f"{first} and {second} have no take in common, so there is nothing to compare")
    rows: list[dict[str, Any]] = [
        {"label": row.label, "both": row.both, "first": row.only_first, "second": row.only_second,
         "neither": row.neither, "share": row.share, "f1": row.f1, "kappa": row.kappa}
        for row in (*found.labels, found.total)
    ]  # fmt: skip
    if as_json:
        compared = {"takes": list(found.takes), "left_out": list(found.left_out)}
        echo_json({**compared, "labels": rows[:-1], "all": rows[-1]})
        return
    echo_table(
        ["label", "both", "only first", "only second", "same", "F1", "kappa"],
        [[r["label"], str(r["both"]), str(r["first"]), str(r["second"]), _share(r["share"]), _number(r["f1"]),
          _number(r["kappa"])] for r in rows],
        {1, 2, 3, 4, 5, 6},
    )  # fmt: skip
    echo(f"\nframes of {count(len(found.takes), 'take')}; same: the share of frames about which both say the same")
    if found.left_out:
        note(f"left out, because only one file has labels for them: {', '.join(found.left_out[:SHOWN])}")


def _learn_again(store: Corpus) -> tuple[Session | None, int, str | None]:
    """Learn again; a failure does not undo the acceptance.

    Returns:
        The session, the number of takes classified again, and the reason if learning failed.
    """
    from motionloom.methods.annotate.labelling.sessions import learn_again

    try:
        with progress_bar("conforming takes") as progress:
            return (*learn_again(store, progress), None)
    except MotionloomError as error:
        return None, 0, str(error)


def _labels_to_accept(
    store: Corpus,
    label_state: LabelState,
    name: str,
    labels: list[str] | None,
    start: int | None,
    stop: int | None,
    given: list[Label] | None,
) -> tuple[str, Range, dict[str, list[Range]]]:
    """What is accepted of a take: its name, the range of frames, and the ranges in which each label holds."""
    from motionloom.corpus.labels.current_labels import corrected_ranges, current_ranges, decided_labels
    from motionloom.methods.annotate.labelling.sessions import kept_choice

    n_frames = store.info(name).n_frames
    window = start or 0, n_frames if stop is None else stop
    check_range(name, *window, n_frames)
    if given is not None:
        decided = {label for take, label in label_state.classified if take == name}
        written = {label.label for label in given}
        known = written | label_state.label_names(store.names())
        strangers = [label for label in labels or [] if label not in known]
        if strangers:
            raise BadInput(
                f"label '{strangers[0]}' is neither in the corrected file nor used in the corpus; "
                f"known are {', '.join(sorted(known)) or 'none'}"
            )
        words = labels or sorted(written | decided | set(kept_choice(store).labels or []))
        return name, window, corrected_ranges(given, name, words, *window)
    words = labels or decided_labels(store, label_state, name, *window)
    if not words:
        raise BadInput(
            f"{name}: has no labels or proposals to accept yet; classify it with `motionloom annotate propose`, or "
            "give its labels with --corrected LABELS.csv"
        )
    return name, window, current_ranges(store, label_state, name, words, *window)


def _read_corrected(store: Corpus, path: Path) -> list[Label]:
    from motionloom.corpus import read_labels

    labels, refused = read_labels(store, path)
    if refused:
        more = f" ({len(refused) - 1} more rows are invalid)" if len(refused) > 1 else ""
        raise BadInput(f"{refused[0]}{more}; nothing was accepted")
    return labels


def _so_far(answers: ProposalAccuracy) -> str:
    return (
        f"agreement so far: {_share(answers.agreement)} of {clock(answers.seconds)} of labels, "
        f"{answers.right_proposals} of {count(answers.proposals, 'proposal')} right, "
        f"{count(answers.corrections, 'correction')}"
    )


def _answers_as_json(answers: ProposalAccuracy) -> dict[str, Any]:
    from dataclasses import asdict

    return {**asdict(answers), "agreement": answers.agreement}


def _share(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def _number(value: float | None) -> str:
    return "" if value is None else f"{round(value, 2) + 0.0:.2f}"  # no -0.00
