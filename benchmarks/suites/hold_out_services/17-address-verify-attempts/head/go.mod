module github.com/parcelly/label-service

go 1.22
