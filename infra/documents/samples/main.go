package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"

	"photo-studio/licenseclient"
)

//go:embed jwks.json
var jwks []byte

func main() {
	var pinned struct{ Keys []licenseclient.Key }
	must(json.Unmarshal(jwks, &pinned))
	hostname, err := os.Hostname()
	must(err)
	client, err := licenseclient.New(licenseclient.Options{
		BaseURL:     "https://api.example.com",
		ProductID:   "prd_01KG9T3W6P9RA5Y8S4C7E1G2JK",
		Keys:        pinned.Keys,
		AppName:     "Photo Studio",
		DeviceLabel: hostname,
		// AllowTestKeys: true, // in your own builds alone
	})
	must(err)
	ctx := context.Background()
	var status licenseclient.Status
	if len(os.Args) > 1 {
		status, err = client.Activate(ctx, os.Args[1])
		must(err)
	} else {
		status = client.Check(ctx)
	}
	fmt.Println(status.Message)
	if !status.Allowed {
		os.Exit(1)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
