package jobs

import "context"

func process(ctx context.Context, body string) error {
	job, err := parse(body)
	if err != nil {
		return err
	}
	files, err := render(ctx, job)
	if err != nil {
		return err
	}
	return publish(ctx, job, files)
}
