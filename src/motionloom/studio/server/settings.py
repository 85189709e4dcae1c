"""What a server is started with."""

from dataclasses import dataclass, field
from pathlib import Path

UPLOAD_LIMIT = 512 * 1024 * 1024  # bytes of one file
STATIC = Path(__file__).resolve().parents[1] / "static"  # the built front end


@dataclass(frozen=True)
class Settings:
    """Which corpora may be opened, and who may ask."""

    home: Path  # the folder whose corpora can be opened and in which new ones are made
    corpus: Path | None = None  # opened at the start; then no other can be opened
    port: int = 0  # 0: any that is free
    host: str = "127.0.0.1"
    token: str | None = None  # that everybody is asked for; None: one is made
    static: Path = field(default=STATIC)
    answer_limit: float = 300.0  # seconds that a request waits for a desk, which may be busy with another job
    is_warmed: bool = True  # desks compile and load their kernels as soon as a corpus is open
