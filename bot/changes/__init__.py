"""From a git range to a ChangeSet and its two trees."""
