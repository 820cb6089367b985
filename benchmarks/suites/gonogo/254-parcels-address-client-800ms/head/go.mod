module example.net/brightmail/parcels

go 1.22
