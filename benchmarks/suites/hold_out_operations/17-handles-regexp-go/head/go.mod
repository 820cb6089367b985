module rookery.example/profiles

go 1.22
