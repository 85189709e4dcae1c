"""Routes: each parses, calls one function and answers."""

from typing import Annotated

from fastapi import Depends, Request

from motionloom.studio.server.house import House


async def find_house(request: Request) -> House:
    """What the server has open; found without a thread of its own, so that requests keep their order."""
    return request.app.state.house


TheHouse = Annotated[House, Depends(find_house)]
