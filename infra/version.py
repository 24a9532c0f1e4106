"""The release that is running. Must agree with pyproject.toml, and a test states so."""

VERSION = "0.1.0"
