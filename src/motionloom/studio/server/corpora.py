"""Making the demo corpus from the page."""

from motionloom.studio.server.house import House
from motionloom.studio.server.messages.session import Job

DEMO = "demo"


def make_demo(house: House) -> Job:
    """Make the demo corpus and open it; one that is there already is opened at once."""
    folder = house.find_folder(DEMO)
    if any(entry.name == DEMO for entry in house.entries()):
        house.open(folder)
        return Job(id=0, kind="demo", title="the demo corpus is there", state="done", done=1, total=1)
    job = house.jobs.start(
        house.builder,
        "make_demo",
        {"name": DEMO},
        kind="demo",
        title="making the demo corpus",
        key="demo",
        after=lambda name: house.open(folder),
    )
    return job.told
