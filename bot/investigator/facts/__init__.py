"""What production says, one question a module; several playbooks ask."""
