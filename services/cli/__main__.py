"""`python -m services.cli` is `spina`, for where the command is not installed."""

from services.cli.main import main

main()
