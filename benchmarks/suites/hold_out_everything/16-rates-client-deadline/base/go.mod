module github.com/parcelo/quotes

go 1.22
