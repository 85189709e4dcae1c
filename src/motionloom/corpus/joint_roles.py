"""Correcting what was found out about takes: which joint plays which role."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from motionloom.corpus.store import catalogue
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus


def set_roles(corpus: "Corpus", name: str, roles: Mapping[str, str | None], this_take_only: bool) -> list[str]:
    """Give a take, and all takes of its skeleton, a skeleton with corrected roles; returns their names."""
    info = corpus.info(name)
    if info.skeleton is None:
        raise BadInput(f"{name}: has points and no skeleton; only joints play roles")
    old = corpus.skeleton(info.skeleton)
    if not any({**old.roles, **roles}.values()):  # a skeleton without any would find them by name again
        raise BadInput(f"{name}: no role would be left; keep at least one")
    skeleton = old.with_roles(roles)
    names = [name] if this_take_only else [one.name for one in corpus.infos() if one.skeleton == info.skeleton]
    where, value = ("id", corpus.take_id(name)) if this_take_only else ("skeleton", info.skeleton)
    with catalogue.transaction(corpus.connection) as db:
        catalogue.insert_skeleton(db, skeleton)
        db.execute(f"UPDATE takes SET skeleton = ? WHERE {where} = ?", [skeleton.digest, value])
    return names
