"""Commands that correct detected properties of takes: roles, floor."""

from __future__ import annotations

from typing import Annotated

import typer

from motionloom.cli.commands.corpus import CorpusPath, Json, expand
from motionloom.cli.console import count, echo, echo_json, echo_table
from motionloom.errors import BadInput

Take = Annotated[str, typer.Argument(metavar="TAKE", help="A take, or a unique suffix of its name.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("roles")(roles)
    app.command("floor")(floor)


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
        name = _find_take(store.names(), take)
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
        name = _find_take(store.names(), take)
        if body:
            floors = find_body_floors(store)
            if name not in floors:
                raise BadInput(f"{name}: --body needs three takes of the same body whose floors were estimated")
            height = floors[name].height
        if height is not None:
            store.set_floor(name, height)
        info = store.info(name)
    echo(f"{name}: floor at {info.floor_height:.4f} m ({'given' if info.floor_given else 'estimated'})")


def _find_take(known: list[str], take: str) -> str:
    names = expand(known, [take])
    if len(names) > 1:
        raise BadInput(f"'{take}' matches {count(len(names), 'take')}; give the name of one")
    return names[0]


def _parse(words: str) -> tuple[str, str | None]:
    role, equals, joint = words.partition("=")
    if not equals or not role:
        raise BadInput(f"'{words}' is not a correction; expected ROLE=JOINT, such as left_foot=ankle_L")
    return role.strip(), joint.strip() or None
