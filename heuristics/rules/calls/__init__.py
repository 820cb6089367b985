"""Rules about calls that requests make from now on."""
