module example.net/portway/inbound

go 1.22
