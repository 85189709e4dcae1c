"""The exceptions that callers may catch. Every message says what is wrong, where, and what to do."""


class MotionloomError(Exception):
    """Anything that motionloom refuses, in one sentence a person can act on."""


class BadInput(MotionloomError):
    """A value, name or option that cannot be used."""


class FormatError(MotionloomError):
    """A file that cannot be read: names the file, the line where there is one, and the reason."""

    def __init__(self, path: object, reason: str, line: int | None = None) -> None:
        self.path = str(path)
        self.line = line
        self.reason = reason
        where = f"{self.path} line {line}" if line is not None else self.path
        super().__init__(f"{where}: {reason}")

    def __reduce__(self) -> tuple[type, tuple[str, str, int | None]]:
        return type(self), (self.path, self.reason, self.line)  # so that a worker process can send it home


class SkeletonMismatch(MotionloomError):
    """Two motions, or a motion and a view, that do not share a skeleton."""


class CorpusError(MotionloomError):
    """A corpus that cannot be opened, is damaged, or does not hold what was asked for."""


class CorpusBusy(CorpusError):
    """Another process holds the write lock of the corpus."""


class Unsatisfiable(MotionloomError):
    """A request that cannot be met at all."""
