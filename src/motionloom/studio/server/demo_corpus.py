"""Making the demo corpus from the page."""

import itertools

from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.studio import Studio

DEMO = "demo"
KIND = "demo"


def make_demo(studio: Studio) -> Job:
    """Make the demo corpus and open it; one that is there already is opened at once."""
    making = [job for job in studio.jobs.all() if job.kind == KIND and job.state in ("waiting", "running")]
    if making:
        return making[0]
    corpora = {entry.name for entry in studio.entries()}
    for name in itertools.chain([DEMO], (f"{DEMO}-{number}" for number in itertools.count(2))):
        folder = studio.find_folder(name)
        if name in corpora:
            studio.open(folder)
            return Job(id=0, kind=KIND, title="the demo corpus is there", state="done", done=1, total=1)
        if not folder.exists():
            break  # else it is a folder of something else, such as the tour of `make demo`
    job = studio.jobs.start(
        studio.demo_desk,
        "make_demo",
        {"name": name},
        kind=KIND,
        title="making the demo corpus",
        after=lambda _: studio.open(folder),
    )
    return job.status
