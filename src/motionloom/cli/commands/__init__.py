"""The commands, one file for each group of them: arguments in, one library call, files out."""
