"""GitHub: its events, its REST interface, its git, and the App itself. githubkit is seen nowhere else."""
