module example.net/plazalive/feed

go 1.22
