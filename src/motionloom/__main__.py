"""`python -m motionloom`, and what the `motionloom` command runs."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C is quiet even while it is still being loaded."""
    try:
        from motionloom.cli.main import run
    except KeyboardInterrupt:
        sys.exit(1)
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
