import os

import pytest


@pytest.fixture
def dsn():
    return os.environ["TEST_DSN"]
