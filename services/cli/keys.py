"""`spina keys`: the master key that closes every secret the server keeps."""

import os

import typer

from services.terminal.refusal import told_in_a_sentence

keys = typer.Typer(name="keys", help="Make and show the master key. Example: spina keys create", no_args_is_help=True)


@keys.command()
def create() -> None:
    """Make a master key where SPINA_MASTER_KEY_FILE says, else in SPINA_DATA. Never overwrites one.

    Keep a copy elsewhere: without it the secrets of all games are lost.

    Example: SPINA_MASTER_KEY_FILE=/etc/spina.key spina keys create
    """
    from infra.keys import KeyRefused, create_key_file
    from infra.settings import SettingsRefused, read_settings

    with told_in_a_sentence(SettingsRefused, KeyRefused, OSError):
        path = read_settings(os.environ).key_file
        key = create_key_file(path)
        typer.echo(f"Made the master key {key.key_id} in {path}. Keep a copy elsewhere.")


@keys.command()
def show() -> None:
    """Show the id of the master key in use, which is no secret. The key itself is never shown.

    Example: spina keys show
    """
    from infra.keys import KeyRefused, read_given_key
    from infra.settings import SettingsRefused, read_settings

    with told_in_a_sentence(SettingsRefused, KeyRefused, OSError):
        typer.echo(read_given_key(read_settings(os.environ)).key_id)
