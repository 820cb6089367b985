module github.com/gatepost/limiter

go 1.22
