module example.org/brindle/fees

go 1.22
