package tariff

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

type Client struct {
	base string
	http *retryablehttp.Client
}

func New(base string) *Client {
	c := retryablehttp.NewClient()
	c.RetryMax = 1
	c.RetryWaitMin = 200 * time.Millisecond
	c.RetryWaitMax = 3 * time.Second
	c.HTTPClient.Timeout = 5 * time.Second
	c.Logger = nil
	return &Client{base: base, http: c}
}

func (c *Client) Rate(zone string) (cents float64, err error) {
	res, err := c.http.Get(fmt.Sprintf("%s/zones/%s/rate", c.base, zone))
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("tariff: %s", res.Status)
	}
	var out struct{ Cents float64 }
	return out.Cents, json.NewDecoder(res.Body).Decode(&out)
}
