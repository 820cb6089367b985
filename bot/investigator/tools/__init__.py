"""The tools of a model, one a file: typed, read-only. None gives a shell, the network or a token to the model."""
