"""Makes the secrets of a deployment, one file each: `python -m infra.deploy.secret_files FOLDER`. Never overwrites one.

Must agree with compose.yaml, which names the files, and with postgres/roles.sql, which names the roles.
"""

import secrets
import sys
from pathlib import Path

from infra.keys import build_master_key, format_master_key

PASSWORD_BYTES = 24
TOKEN_BYTES = 32
FOLDER_MODE = 0o700
# The folder keeps others out; inside a container each file must be readable for a user whom the host does not know.
FILE_MODE = 0o444

DATABASE = "postgres:5432/spina"
OWNER, SERVER = "spina_schema_owner", "spina_server"
VALKEY_CONF = """\
requirepass {password}
save ""
appendonly no
maxmemory 256mb
maxmemory-policy allkeys-lru
"""


def build_secrets() -> dict[str, str]:
    """Return fresh secrets by the names of their files."""
    owner, server, superuser, valkey = (secrets.token_urlsafe(PASSWORD_BYTES) for _ in range(4))
    return {
        "master_key": format_master_key(build_master_key()),
        "superuser_password": superuser,
        "owner_password": owner,
        "server_password": server,
        "database_url": f"postgresql://{SERVER}:{server}@{DATABASE}",
        "owner_database_url": f"postgresql://{OWNER}:{owner}@{DATABASE}",
        "redis_url": f"redis://:{valkey}@valkey:6379/0",
        "valkey_conf": VALKEY_CONF.format(password=valkey),
        "metrics_token": secrets.token_hex(TOKEN_BYTES),
    }


def write_secrets(folder: Path) -> None:
    """Write them into a folder that is not there yet. Raises FileExistsError: a new key opens no old box."""
    folder.mkdir(mode=FOLDER_MODE, parents=True)
    for name, text in build_secrets().items():
        file = folder / name
        file.touch(mode=0o600)
        file.write_text(text if text.endswith("\n") else f"{text}\n")
        file.chmod(FILE_MODE)


def main() -> None:
    if len(sys.argv) != 2:  # noqa: PLR2004  the program's own name and the folder
        sys.exit("expected the folder to make, as in: python -m infra.deploy.secret_files infra/deploy/secrets")
    try:
        write_secrets(Path(sys.argv[1]))
    except FileExistsError:
        sys.exit(f"{sys.argv[1]} is there already; secrets are never overwritten")
    sys.stdout.write(f"Made the secrets in {sys.argv[1]}. Keep a copy of master_key elsewhere.\n")


if __name__ == "__main__":
    main()
