"""Parts of playbooks that outgrew one file, and links that several of them build alike."""
