"""Grounds that people give for takes: what their feet stand on, kept in the catalogue beside the floor height."""

import hashlib
import json
from typing import TYPE_CHECKING

from motionloom.corpus.store import catalogue
from motionloom.errors import BadInput, CorpusError
from motionloom.motion import Ground

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus


def read_given_ground(corpus: "Corpus", name: str) -> Ground | None:
    """The ground of a take, with its floor at the take's floor height; None if none is given."""
    info = corpus.info(name)
    if info.ground is None:
        return None
    found: Ground | None = corpus.unshared.get(("ground", info.ground))
    if found is None:
        row = corpus.connection.execute("SELECT content FROM grounds WHERE take = ?", [corpus.take_id(name)]).fetchone()
        found = parse_content(row[0] if row else None, info.ground)
        corpus.unshared.put(("ground", info.ground), found)
    return Ground(info.floor_height, found.boxes, found.terrain)


def set_given_ground(corpus: "Corpus", name: str, ground: Ground | None) -> None:
    """Keep a ground with a take, or none; the floor of the take is that of the ground then."""
    info = corpus.info(name)
    if ground is not None and info.kind != "body":
        raise BadInput(f"{name}: has points and no skeleton; only bodies stand on a ground")
    take = corpus.take_id(name)
    with catalogue.transaction(corpus.connection) as db:
        db.execute("DELETE FROM grounds WHERE take = ?", [take])
        if ground is not None:
            if not ground.is_flat:
                content = _content_of(ground)
                db.execute("INSERT INTO grounds VALUES (?, ?, ?)", [take, _digest_of(content), content])
            db.execute("UPDATE takes SET floor_height = ?, floor_given = 1 WHERE id = ?", [ground.floor, take])


def parse_content(content: object, digest: object) -> Ground:
    """The boxes and the terrain of a row of the catalogue; raises if it is damaged."""
    if not isinstance(content, str) or _digest_of(content) != digest:
        raise CorpusError("its ground in the catalogue is damaged")
    try:
        return Ground.from_data({"floor": 0.0, **json.loads(content)})
    except (BadInput, TypeError, ValueError) as error:
        raise CorpusError(f"its ground in the catalogue cannot be read ({error})") from error


def _content_of(ground: Ground) -> str:
    """Boxes and terrain as JSON; the floor is that of the take."""
    data = ground.to_data()
    del data["floor"]
    return json.dumps(data, sort_keys=True)


def _digest_of(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
