module fjellkart.example/tiles

go 1.22
