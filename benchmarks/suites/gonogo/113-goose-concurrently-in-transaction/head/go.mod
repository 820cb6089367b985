module example.org/pelican/couriers

go 1.22

require github.com/pressly/goose/v3 v3.20.0
