package jobs

import (
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

type Job struct {
	ID     string `json:"id"`
	Source string `json:"source"`
}

var shared *sqs.Client

func client() *sqs.Client { return shared }

func parse(body string) (j Job, err error) {
	err = json.Unmarshal([]byte(body), &j)
	return j, err
}
