batch_size     = 10
batch_window_s = 0
