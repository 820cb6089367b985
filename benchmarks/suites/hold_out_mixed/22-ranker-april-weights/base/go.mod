module github.com/quillstack/offer-ranker

go 1.22
