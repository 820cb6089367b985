"""What a migration meets: production's columns and sizes, the code that uses them, the history it joins, the deploy it runs in."""
