"""Many agent calls, resumable: `agent()`, `parallel()`, `pipeline()`, and a journal that never pays twice.

```python
async with Orchestrator(journal=path, limit=4, runner=runner) as run:
    answers = await run.pipeline(items, read_source, pull_numbers, check_numbers)
    print(run.report)
```

Read `scheduler` (what runs when), then `journal` (what survives), then `question` (what "the same call" means).
"""

from bencher.orchestration.attempt import Interrupted, Policy, Rejected, Runner
from bencher.orchestration.orchestrator import Orchestrator
from bencher.orchestration.question import NotCanonical, key_of
from bencher.orchestration.report import Answer, Failed, Report, Source
from bencher.orchestration.upkeep import JournalInUse

__all__ = [
    "Answer",
    "Failed",
    "Interrupted",
    "JournalInUse",
    "NotCanonical",
    "Orchestrator",
    "Policy",
    "Rejected",
    "Report",
    "Runner",
    "Source",
    "key_of",
]
