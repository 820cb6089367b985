"""Series in, joint quantile forecasts out, each with the proof that it may be believed.

Knows nothing of resources beyond their id. `forecaster` chooses, `builtin` needs no download, `toto` alone may import torch.
"""
