"""A program for `tests/test_forked.py`: prints to both streams, and ends as its first argument states."""

import atexit
import os
import signal
import sys
from threading import Thread, main_thread


def main() -> None:
    match sys.argv[1:]:
        case ["exit", code]:
            sys.exit(int(code))
        case ["environment"]:
            sys.stdout.writelines(f"{name}={value}\n" for name, value in os.environ.items())
        case ["linger"]:
            atexit.register(sys.stdout.write, "last act\n")
            Thread(target=write_late).start()
        case ["wait"]:
            signal.pause()
        case _:
            raise ValueError("expected nothing")


def write_late() -> None:
    main_thread().join()
    sys.stdout.write("thread\n")


if __name__ == "__main__":
    sys.stdout.write("out\n")
    sys.stdout.flush()
    sys.stderr.write("err\n")
    main()
