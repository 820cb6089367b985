module example.net/lensly/catalog

go 1.22
