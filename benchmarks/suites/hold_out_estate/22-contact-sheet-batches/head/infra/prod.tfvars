batch_size     = 200
batch_window_s = 20
