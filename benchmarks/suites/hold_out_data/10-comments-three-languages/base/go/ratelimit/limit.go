package ratelimit

const maxAttempts = 3

func Allowed(n int) bool { return n < maxAttempts }
