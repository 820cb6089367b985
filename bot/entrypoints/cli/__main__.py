"""Runs the command line; the launcher starts it by name."""

import sys

from bot.entrypoints.cli.app import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
