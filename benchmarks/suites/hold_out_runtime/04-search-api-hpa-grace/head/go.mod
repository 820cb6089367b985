module github.com/findable/search-api

go 1.22
