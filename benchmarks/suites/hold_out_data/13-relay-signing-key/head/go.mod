module example.net/portway/relay

go 1.22
