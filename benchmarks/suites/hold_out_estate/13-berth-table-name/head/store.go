package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type store struct {
	client *dynamodb.Client
	table  string
}

func (s store) free(ctx context.Context, harbour, night string) (bool, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String(s.table),
		Key: map[string]types.AttributeValue{
			"harbour": &types.AttributeValueMemberS{Value: harbour},
			"night":   &types.AttributeValueMemberS{Value: night},
		},
	})
	return err == nil && len(out.Item) == 0, err
}
