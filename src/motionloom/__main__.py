"""`python -m motionloom` is `motionloom`."""

from motionloom.cli.main import main

main()
