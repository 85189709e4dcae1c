"""Joint roles of takes in a corpus, corrected by a person."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from motionloom.corpus.store import catalogue
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus


def set_roles(corpus: "Corpus", name: str, roles: Mapping[str, str | None], this_take_only: bool) -> list[str]:
    """Correct the joint roles of a take, and of all takes with its skeleton; returns their names."""
    info = corpus.info(name)
    if info.skeleton is None:
        raise BadInput(f"{name}: has points and no skeleton; only joints have roles")
    old = corpus.skeleton(info.skeleton)
    if not any({**old.roles, **roles}.values()):  # a skeleton without roles derives them from joint names again
        raise BadInput(f"{name}: no role would be left; keep at least one")
    skeleton = old.with_roles(roles)
    names = [name] if this_take_only else [other.name for other in corpus.infos() if other.skeleton == info.skeleton]
    where, value = ("id", corpus.take_id(name)) if this_take_only else ("skeleton", info.skeleton)
    with catalogue.transaction(corpus.connection) as db:
        catalogue.insert_skeleton(db, skeleton)
        db.execute(f"UPDATE takes SET skeleton = ? WHERE {where} = ?", [skeleton.digest, value])
    return names
