"""Routes: each parses, calls one function and answers."""

from typing import Annotated

from fastapi import Depends, Request

from motionloom.studio.server.studio import Studio


async def find_studio(request: Request) -> Studio:
    """What the server has open; found without a thread of its own, so that requests keep their order."""
    return request.app.state.studio


TheStudio = Annotated[Studio, Depends(find_studio)]
