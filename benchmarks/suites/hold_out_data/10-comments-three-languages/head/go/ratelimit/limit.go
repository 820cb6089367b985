package ratelimit

// maxAttempts was 6 until the outage: os.Getenv("MAX_ATTEMPTS") is not read any more.
const maxAttempts = 3

func Allowed(n int) bool { return n < maxAttempts }
