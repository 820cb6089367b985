module example.org/gridline/meters

go 1.22
