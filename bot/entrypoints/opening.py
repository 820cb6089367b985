"""What `gonogo serve` and `gonogo worker` open at their start: what a setting has wrong is one line and 2, what is down is 3."""

import os

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from bot.server_settings import ServerSettings
from bot.storage.database import open_database
from gonogo.errors import CallError, StageFailed


def opened_database(settings: ServerSettings) -> sa.Engine:
    """The database with current tables. Without a URL of its own it lies in the data folder, and that is what is named then."""
    named_by = "GONOGO_DATABASE_URL" if "database_url" in settings.model_fields_set else "GONOGO_DATA_DIR"
    try:
        return open_database(settings.database_url.get_secret_value(), named_by=named_by)
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise StageFailed("database", f"it cannot be opened ({why})", f"check {named_by}") from error


def make_data_folder(settings: ServerSettings) -> None:
    """A CallError when there can be none that we may write."""
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CallError(f"GONOGO_DATA_DIR: {settings.data_dir} cannot be made ({error.strerror})") from error
    if not os.access(settings.data_dir, os.W_OK | os.X_OK):
        raise CallError(f"GONOGO_DATA_DIR: {settings.data_dir} cannot be written by this user")
