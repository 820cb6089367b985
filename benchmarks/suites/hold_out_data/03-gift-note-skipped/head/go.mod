module example.net/petalpost/orders

go 1.22

require github.com/golang-migrate/migrate/v4 v4.17.1
