package inventory

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

type Client struct {
	http *retryablehttp.Client
	base string
}

func New(base string) *Client {
	c := retryablehttp.NewClient()
	c.RetryMax = 1
	c.RetryWaitMin = 250 * time.Millisecond
	c.RetryWaitMax = 2 * time.Second
	c.HTTPClient.Timeout = 900 * time.Millisecond
	return &Client{http: c, base: base}
}

func (c *Client) Hold(ctx context.Context, sku string, n int) (string, error) {
	url := fmt.Sprintf("%s/v1/holds/%s?n=%d", c.base, sku, n)
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPut, url, nil)
	if err != nil {
		return "", err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var out struct{ ID string }
	return out.ID, json.NewDecoder(res.Body).Decode(&out)
}
