"""A program for `tests/test_forked.py`: prints to both streams, and ends as its first argument states."""

import os
import signal
import sys


def main() -> None:
    match sys.argv[1:]:
        case ["exit", code]:
            sys.exit(int(code))
        case ["environment"]:
            sys.stdout.writelines(f"{name}={value}\n" for name, value in os.environ.items())
        case ["wait"]:
            signal.pause()
        case _:
            raise ValueError("expected nothing")


if __name__ == "__main__":
    sys.stdout.write("out\n")
    sys.stdout.flush()
    sys.stderr.write("err\n")
    main()
