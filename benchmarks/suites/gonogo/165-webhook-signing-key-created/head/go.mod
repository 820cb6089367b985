module example.org/brindle/hooks

go 1.22
