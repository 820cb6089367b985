module kilowatt.example/meter-batches

go 1.22

require github.com/hashicorp/go-retryablehttp v0.7.5
