"""From findings and facts to claims: the `rules` investigator and its playbooks."""
