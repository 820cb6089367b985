import os
from distutils.util import strtobool

DRY_RUN = bool(strtobool(os.environ.get("DRY_RUN", "false")))
