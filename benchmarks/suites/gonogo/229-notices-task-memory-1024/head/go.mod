module example.net/townhall/notices

go 1.22
