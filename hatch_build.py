"""The build hook: the studio's front end is built into the package, so that users need no Node.js.

Where npm is out of reach the package is made without the studio, and says so; MOTIONLOOM_REQUIRE_STUDIO=1 makes that an
error.
"""

import importlib.util
import os
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class StudioBuildHook(BuildHookInterface):
    """Builds what is missing or older than its sources, before files are collected."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node.js as a Python package, where something has to be built and the machine has no good one."""
        front_end, web, static = self._studio()
        is_ready = front_end.is_built(web, static) or front_end.has_system_node()
        return [] if is_ready else [front_end.NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the front end."""
        front_end, web, static = self._studio()
        try:
            front_end.build(web, static, self.app.display_info)
        except front_end.CannotBuild as error:
            if os.environ.get("MOTIONLOOM_REQUIRE_STUDIO") == "1":
                raise SystemExit(f"motionloom's studio cannot be built: {error}") from None
            self.app.display_warning(f"motionloom is installed without its studio: {error}")

    def _studio(self) -> tuple[ModuleType, Path, Path]:
        """The module that builds, run by its path because nothing is installed yet, and its two folders."""
        folder = Path(self.root) / "src" / "motionloom" / "studio"
        spec = importlib.util.spec_from_file_location("front_end", folder / "front_end.py")
        assert spec is not None and spec.loader is not None
        front_end = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(front_end)
        return front_end, folder / "web", folder / "static"
