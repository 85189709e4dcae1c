"""The schemas that generated forms are tried on are those of the methods; run this file to write them anew."""

import json
import sys
from pathlib import Path

from motionloom.methods import METHODS, load

STORED = Path(__file__).parents[3] / "src/motionloom/studio/web/src/workspaces/method/methods.fixture.json"
sys.path.append(str(Path(__file__).parents[1] / "server"))


def describe_methods() -> dict:
    """The schema and the example of every method, and of one with all kinds of fields."""
    import duet

    requests = {**{name: load(name).Request for name in METHODS}, "duet": duet.Request}
    return {
        name: {"schema": request.schema(), "example": request.parse(request.example).to_whole_data()}
        for name, request in requests.items()
    }


def test_the_page_makes_forms_of_the_schemas_that_the_methods_have_now() -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(describe_methods())), f"run {Path(__file__).name} to renew"


if __name__ == "__main__":
    STORED.write_text(json.dumps(describe_methods(), indent=1) + "\n", encoding="utf-8")
