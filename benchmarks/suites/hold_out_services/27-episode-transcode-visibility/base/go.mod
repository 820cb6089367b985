module github.com/podhaus/episode-transcode

go 1.22

require github.com/aws/aws-sdk-go-v2/service/sqs v1.31.4
