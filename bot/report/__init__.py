"""One format a file; sentences that formats share are in summary.py."""
