"""Rules about probes and the exchange of copies."""
