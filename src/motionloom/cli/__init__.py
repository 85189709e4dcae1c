"""The command line: arguments in, one library call, files out."""
