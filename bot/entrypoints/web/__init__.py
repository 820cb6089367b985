"""The web process: takes webhooks, answers probes, shows the dashboard."""
