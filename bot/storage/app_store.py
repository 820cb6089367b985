"""The App's store: one object over its tables, on SQLite and on PostgreSQL, for any number of workers on any number of hosts."""

from bot.storage.app_acknowledgements import Acknowledgements
from bot.storage.app_conclusions import Conclusions
from bot.storage.app_evaluations import Evaluations
from bot.storage.app_installations import Installations
from bot.storage.app_leases import Leases
from bot.storage.app_listing import Listing
from bot.storage.app_outbox import Outbox
from bot.storage.app_outcomes import Outcomes
from bot.storage.app_pull_requests import PullRequests


class AppStore(Installations, PullRequests, Evaluations, Leases, Conclusions, Outbox, Acknowledgements, Outcomes, Listing):
    """Everything the App remembers. Each part is a file; each method is one transaction, all or nothing.

    `AppStore(open_database(url))`; a clock is for tests.
    """
