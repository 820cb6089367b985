module github.com/gardenly/pricing

go 1.22
