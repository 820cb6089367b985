"""The doors: arguments in, exit status out, nothing decided here."""
