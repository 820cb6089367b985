"""Cloudflare Workers and what they are bound to, read through the API that the dashboard uses: only GET, no SDK."""
