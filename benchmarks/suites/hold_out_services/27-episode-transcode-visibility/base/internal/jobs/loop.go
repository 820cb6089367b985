package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// Loop takes one message at a time and deletes it once the episode is published.
func Loop(ctx context.Context, queue string) {
	for ctx.Err() == nil {
		out, err := client().ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
			QueueUrl: aws.String(queue), MaxNumberOfMessages: 1, WaitTimeSeconds: 20,
		})
		if err != nil {
			slog.Error("receive", "err", err)
			continue
		}
		for _, m := range out.Messages {
			began := time.Now()
			if err := process(ctx, *m.Body); err != nil {
				slog.Error("job", "err", err)
				continue
			}
			slog.Info("job done", "id", *m.MessageId, "took_ms", time.Since(began).Milliseconds())
			client().DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: aws.String(queue), ReceiptHandle: m.ReceiptHandle})
		}
	}
}
