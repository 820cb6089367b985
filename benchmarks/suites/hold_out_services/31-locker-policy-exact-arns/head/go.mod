module festivalgear.example/lockers

go 1.23
