module example.org/pelican/partners

go 1.22

require (
	github.com/golang-migrate/migrate/v4 v4.17.1
	github.com/lib/pq v1.10.9
)
