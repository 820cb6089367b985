import os

TRUE = {"1", "true", "yes", "on"}
DRY_RUN = os.environ.get("DRY_RUN", "false").strip().lower() in TRUE
