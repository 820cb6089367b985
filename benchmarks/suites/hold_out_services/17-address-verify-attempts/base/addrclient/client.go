package addrclient

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

const (
	attempts = 2
	pause    = 100 * time.Millisecond
	budget   = 4 * time.Second
)

func Verify(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	var last error
	for i := 0; i < attempts; i++ {
		if i > 0 {
			select {
			case <-time.After(pause << i):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if last = call(ctx, address); last == nil {
			return nil
		}
	}
	return last
}

func call(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, "GET", os.Getenv("ADDRESS_API")+"/verify?q="+url.QueryEscape(address), nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= 500 {
		return fmt.Errorf("verify: %s", res.Status)
	}
	return nil
}
