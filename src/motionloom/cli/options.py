"""Arguments and options that all commands share which make a motion of a request."""

from pathlib import Path
from typing import Annotated

import typer

MaybeCorpus = Annotated[
    Path | None, typer.Argument(metavar="CORPUS", help="The folder of the corpus.", readable=False)
]  # not needed where only the schema is asked for
MotionOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="OUT",
        help="FILE.bvh, .glb, .npz, .png or .mp4; of points .csv or .c3d instead of .bvh.",
        readable=False,
    ),
]
ReportOut = Annotated[Path | None, typer.Option(metavar="JSON", help="Write the report as JSON.", readable=False)]
Seed = Annotated[int, typer.Option(min=0, help="Random seed.")]
SaveAs = Annotated[str | None, typer.Option(metavar="TAKE", help="Save the motion as a take of the corpus.")]
OnSkeleton = Annotated[
    str | None,
    typer.Option("--skeleton", metavar="TAKE", help="Write on the skeleton of this take; default: the reference."),
]
SchemaOnly = Annotated[bool, typer.Option("--schema", help="Print the JSON schema of requests, for editors.")]
