module example.net/gazette/reader

go 1.22
