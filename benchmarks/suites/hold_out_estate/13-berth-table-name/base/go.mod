module example.org/marlin/berths

go 1.22

require github.com/aws/aws-sdk-go-v2/service/dynamodb v1.32.0
