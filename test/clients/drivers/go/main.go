// The Go client on the command line.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"driver/licenseclient"
)

func main() {
	command, argument := os.Args[1], ""
	if len(os.Args) > 2 {
		argument = os.Args[2]
	}
	output, err := json.Marshal(run(command, argument))
	must(err)
	fmt.Println(string(output))
}

func run(command, argument string) any {
	ctx := context.Background()
	switch command {
	case "vectors":
		return judgeVectors(argument)
	case "messages":
		return licenseclient.Messages
	case "activate":
		status, err := newClient().Activate(ctx, argument)
		must(err)
		return shown(status)
	case "check":
		return shown(newClient().Check(ctx))
	case "check-offline":
		return shown(newClient().CheckOffline())
	case "watch":
		return watch(ctx)
	case "deactivate":
		return shown(newClient().Deactivate(ctx))
	case "import-lease":
		return shown(newClient().ImportLease(string(read(argument))))
	case "request-code":
		code, err := newClient().MakeRequestCode()
		must(err)
		return map[string]string{"request_code": code}
	}
	panic("unknown command " + command)
}

func newClient() *licenseclient.Client {
	var keys []licenseclient.Key
	must(json.Unmarshal([]byte(os.Getenv("LICENSE_KEYS")), &keys))
	offset, _ := strconv.Atoi(os.Getenv("LICENSE_CLOCK_OFFSET"))
	step, _ := strconv.Atoi(os.Getenv("LICENSE_CLOCK_STEP"))
	client, err := licenseclient.New(licenseclient.Options{
		BaseURL:       os.Getenv("LICENSE_BASE_URL"),
		ProductID:     os.Getenv("LICENSE_PRODUCT_ID"),
		Keys:          keys,
		Storage:       licenseclient.FileStorage(os.Getenv("LICENSE_STATE")),
		DeviceLabel:   os.Getenv("LICENSE_DEVICE_LABEL"),
		Clock:         func() time.Time { offset += step; return time.Now().Add(time.Duration(offset) * time.Second) },
		RequireLease:  os.Getenv("LICENSE_REQUIRE_LEASE") == "1",
		AllowTestKeys: os.Getenv("LICENSE_ALLOW_TEST_KEYS") == "1",
		LookEvery:     10 * time.Millisecond,
	})
	must(err)
	return client
}

// The first two statuses.
func watch(ctx context.Context) any {
	ctx, stop := context.WithCancel(ctx)
	seen := []map[string]any{}
	newClient().Watch(ctx, func(status licenseclient.Status) {
		if seen = append(seen, shown(status)); len(seen) == 2 {
			stop()
		}
	})
	return seen
}

func shown(status licenseclient.Status) map[string]any {
	features := status.Features
	if features == nil {
		features = []string{}
	}
	result := map[string]any{
		"allowed": status.Allowed, "code": status.Code, "source": status.Source, "message": status.Message,
		"features": features, "ask_online": status.AskOnline,
	}
	if status.Limit != 0 {
		result["seats"], result["limit"] = status.Seats, status.Limit
	}
	if status.ExpiresAt != "" {
		result["expires_at"] = status.ExpiresAt
	}
	if status.Until != 0 {
		result["until"] = status.Until
	}
	if end := status.UpdatesUntil; end != nil {
		result["updates_until"], result["covered"] = *end, []bool{status.Covers(*end), status.Covers(*end + 1)}
	}
	return result
}

func judgeVectors(path string) any {
	var given struct {
		Issuer      string              `json:"issuer"`
		ProductID   string              `json:"product_id"`
		Fingerprint string              `json:"device_fingerprint"`
		Now         int64               `json:"now"`
		Keys        []licenseclient.Key `json:"keys"`
		Vectors     []struct {
			Name, Lease, Nonce string
			AllowTestKeys      bool `json:"allow_test_keys"`
		}
	}
	must(json.Unmarshal(read(path), &given))
	verdicts := []map[string]string{}
	for _, vector := range given.Vectors {
		verdict, _ := licenseclient.VerifyLease(vector.Lease, licenseclient.Expected{
			Keys: given.Keys, Issuer: given.Issuer, ProductID: given.ProductID, Fingerprint: given.Fingerprint,
			Nonce: vector.Nonce, Now: time.Unix(given.Now, 0), AllowTestKeys: vector.AllowTestKeys,
		})
		verdicts = append(verdicts, map[string]string{"name": vector.Name, "verdict": verdict})
	}
	return verdicts
}

func read(path string) []byte {
	data, err := os.ReadFile(path)
	must(err)
	return data
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
