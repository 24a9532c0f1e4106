"""Runs commands of `spina` one after the other in one process, given as a JSON array of their arguments.

Both streams have a mark behind the text of each command; the end of standard output is a report.
"""

import json
import sys
from pathlib import Path

from services.cli.main import app
from services.terminal.refusal import bugs_told_in_a_sentence

MARK = "\x1e"


def main() -> None:
    codes = []
    for arguments in json.loads(sys.argv[1]):
        try:
            with bugs_told_in_a_sentence():
                app(arguments)
        except SystemExit as ended:
            codes.append(ended.code or 0)
        for stream in (sys.stdout, sys.stderr):
            stream.write(MARK)
            stream.flush()
    # Of this program alone: the peak of `getrusage` may be that of the process that started it.
    fields = Path("/proc/self/status").read_text().split()
    sys.stdout.write(json.dumps({"codes": codes, "peak_bytes": int(fields[fields.index("VmHWM:") + 1]) * 1024}))


if __name__ == "__main__":
    main()
