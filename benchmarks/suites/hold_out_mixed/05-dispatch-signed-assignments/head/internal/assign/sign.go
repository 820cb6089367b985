package assign

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"os"
)

// sign proves to the depot app that the assignment came from us.
func sign(payload string) string {
	key, ok := os.LookupEnv("ASSIGNMENT_SIGNING_KEY")
	if !ok {
		panic("ASSIGNMENT_SIGNING_KEY is not set")
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(payload))
	return hex.EncodeToString(mac.Sum(nil))
}
