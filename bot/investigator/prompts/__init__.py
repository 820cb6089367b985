"""What a model is told: the words of the system prompt, the first message, and how data is fenced off."""
