module github.com/quillstack/cart

go 1.22

require github.com/hashicorp/go-retryablehttp v0.7.7
