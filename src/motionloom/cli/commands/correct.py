"""Commands that correct detected properties of takes: roles, floor, ground."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.commands.corpus import CorpusPath, Json, expand
from motionloom.cli.console import count, echo, echo_json, echo_table, note
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.motion import Ground

Take = Annotated[str, typer.Argument(metavar="TAKE", help="A take, or a unique suffix of its name.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("roles")(roles)
    app.command("floor")(floor)
    app.command("ground")(ground)
    app.command("reference")(reference)


def roles(
    corpus: CorpusPath,
    take: Take,
    corrections: Annotated[
        list[str] | None, typer.Argument(metavar="[ROLE=JOINT...]", help="left_foot=ankle_L; ROLE= removes a role.")
    ] = None,
    this_take_only: Annotated[
        bool, typer.Option("--this-take-only", help="Do not change other takes of the same skeleton.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the joint roles of a take, or correct them for all takes of its skeleton."""
    from motionloom.corpus import Corpus
    from motionloom.motion import Motion

    wanted = dict(_parse(words) for words in corrections or [])
    with Corpus.open(corpus, write=bool(wanted)) as store:
        name = find_take(store.names(), take)
        motion = store.take(name).motion
        if not isinstance(motion, Motion):
            raise BadInput(f"{name}: points without a skeleton have no roles")
        if wanted:
            changed = store.set_roles(name, wanted, this_take_only=this_take_only)
            echo(f"{corpus}: roles corrected in {count(len(changed), 'take')}")
            return
        found = dict(motion.skeleton.roles)
    if as_json:
        echo_json({"take": name, "roles": found, "joints": list(motion.skeleton.names)})
    else:
        echo_table(["role", "joint"], [[role, joint] for role, joint in found.items()])


def floor(
    corpus: CorpusPath,
    take: Take,
    height: Annotated[float | None, typer.Argument(metavar="[METRES]", help="New height of the floor.")] = None,
    body: Annotated[bool, typer.Option("--body", help="Use the floor of all takes of the same body.")] = False,
) -> None:
    """Print the floor height of a take, or correct it."""
    from motionloom.corpus import Corpus, find_body_floors

    if body and height is not None:
        raise BadInput("give a height, or --body for that of all takes of the same body, not both")
    with Corpus.open(corpus, write=body or height is not None) as store:
        name = find_take(store.names(), take)
        if body:
            floors = find_body_floors(store)
            if name not in floors:
                raise BadInput(f"{name}: --body needs three takes of the same body whose floors were estimated")
            height = floors[name].height
        if height is not None:
            store.set_floor(name, height)
        info = store.info(name)
    echo(f"{name}: floor at {info.floor_height:.4f} m ({'given' if info.floor_given else 'estimated'})")


def ground(
    corpus: CorpusPath,
    take: Take,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A ground file, YAML or JSON.", readable=False)
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Forget boxes and terrain; the floor stays.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a ground file.")] = False,
) -> None:
    """Print what the feet of a take stand on as far as it was given, or give it."""
    from motionloom.assembly.requests.ground_files import read_ground_file
    from motionloom.corpus import Corpus
    from motionloom.motion import Ground

    if clear and file is not None:
        raise BadInput("give a ground file, or --clear to forget the ground, not both")
    given = None if file is None else read_ground_file(file)
    with Corpus.open(corpus, write=clear or given is not None) as store:
        name = find_take(store.names(), take)
        if clear or given is not None:
            store.set_ground(name, given)
        floor_height, kept = store.info(name).floor_height, store.ground(name)
    if as_json:
        echo_json((kept or Ground(floor_height)).to_data())
        return
    echo(f"{name}: floor at {floor_height:.4f} m, {describe_ground(kept)}")


def reference(
    corpus: CorpusPath,
    take: Annotated[
        str | None, typer.Argument(metavar="[TAKE]", help="The take whose skeleton becomes the reference.")
    ] = None,
    usual: Annotated[
        bool, typer.Option("--usual", help="Choose anew: the hierarchy of most seconds, in it the median size.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the skeleton that all takes are shown on together, or choose another."""
    from motionloom.conform import choose_reference, find_reference
    from motionloom.corpus import Corpus

    if usual and take is not None:
        raise BadInput("give a take, or --usual for the usual reference, not both")
    with Corpus.open(corpus, write=usual or take is not None) as store:
        name = None if take is None else find_take(store.names(), take)
        found = choose_reference(store, name) if usual or take is not None else find_reference(store)
    skeleton = found.skeleton
    if as_json:
        about = {"take": found.take, "chosen": found.is_chosen, "removed": found.is_removed}
        echo_json({**about, "joints": list(skeleton.names), "leg_metres": skeleton.leg_length})
        return
    how = "chosen" if found.is_chosen else "the usual one"
    size = f"{count(skeleton.n_joints, 'joint')}, legs of {skeleton.leg_length:.2f} m"
    echo(f"{corpus}: the reference skeleton is that of {found.take} ({size}; {how})")
    if found.is_removed:
        note(f"{found.take} was removed; its skeleton stays the reference until another is chosen")


def describe_ground(ground: Ground | None) -> str:
    """Boxes and terrain of a ground in a few words."""
    if ground is None or ground.is_flat:
        return "no ground given"
    parts = [count(len(ground.boxes), "box", "boxes")] if ground.boxes else []
    if ground.terrain is not None:
        n, m = ((size - 1) * ground.terrain.spacing for size in ground.terrain.heights.shape)
        low, high = ground.terrain.heights.min(), ground.terrain.heights.max()
        parts.append(f"terrain of {n:.2f} by {m:.2f} m from {low:.2f} to {high:.2f} m")
    return " and ".join(parts)


def find_take(known: list[str], take: str) -> str:
    """The one take that a name, or the end of one, stands for."""
    names = expand(known, [take])
    if len(names) > 1:
        raise BadInput(f"'{take}' matches {count(len(names), 'take')}; give the name of one")
    return names[0]


def _parse(words: str) -> tuple[str, str | None]:
    role, equals, joint = words.partition("=")
    if not equals or not role:
        raise BadInput(f"'{words}' is not a correction; expected ROLE=JOINT, such as left_foot=ankle_L")
    return role.strip(), joint.strip() or None
