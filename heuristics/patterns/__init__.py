"""Regular expressions that backtrack without end: read, judged by their structure, and found in a change."""
