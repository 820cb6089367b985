package server

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type Store struct{ db *dynamodb.Client }

// Heartbeat is called for every connected player each 30 seconds.
func (s *Store) Heartbeat(ctx context.Context, player, expires string) error {
	_, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("player-sessions"),
		Item: map[string]types.AttributeValue{
			"player_id":  &types.AttributeValueMemberS{Value: player},
			"expires_at": &types.AttributeValueMemberN{Value: expires},
		},
	})
	return err
}
