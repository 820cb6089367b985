module example.org/pelican/routes

go 1.22

require github.com/pressly/goose/v3 v3.20.0
