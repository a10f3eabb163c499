// SPDX-License-Identifier: MIT-0
// Copyright 2026 the authors of the license service
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
// documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
// rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
// persons to whom the Software is furnished to do so.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
// WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
// COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
// OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

// Package licenseclient activates a device, keeps the signed lease of its license, and decides offline by it.
//
//	client, err := licenseclient.New(licenseclient.Options{
//		BaseURL:   "https://api.example.com",
//		ProductID: "prd_01KG9T3W6P9RA5Y8S4C7E1G2JK",
//		Keys:      []licenseclient.Key{{Kid: "…", X: "…", Y: "…"}, {Kid: "…", X: "…", Y: "…"}},
//		AppName:   "Example App",
//	})
//	status := client.Check(ctx) // at the start
//	if status.Code == "no_license" {
//		status, err = client.Activate(ctx, askUser("License key: "))
//	}
//	fmt.Println(status.Message)
//	go client.Watch(ctx, func(later licenseclient.Status) { show(later) }) // daily, and when the device wakes up
//
// Copy this file into a folder licenseclient of your module. It needs Go 1.19 or later, and nothing else.
// Pin two keys of /.well-known/jwks.json in your build: the one that signs and the next. Keys that come
// over the network are never trusted. Requests go through the proxy that HTTPS_PROXY and NO_PROXY name,
// and trust the system's certificates. Calls wait for the network, up to 40 seconds.
package licenseclient

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/big"
	mathrand "math/rand"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	attempts          = 3
	attemptTime       = 10 * time.Second
	longestRetryAfter = 5 * time.Second
	largestReply      = 128 * 1024
	longestLease      = 64 * 1024
	clockTolerance    = 300
	hour              = 3600
	day               = 24 * hour
)

// Messages says what to tell the user about each code.
// The client puts a date of ISO 8601 and the address of the page for buyers into it.
var Messages = map[string]string{
	"valid":                     "This app is licensed.",
	"activated":                 "This device is now activated.",
	"already_activated":         "This device is activated.",
	"deactivated":               "This device is no longer activated.",
	"not_activated":             "This device was not activated.",
	"license_key_malformed":     "This license key seems to be mistyped or incomplete. Please look at it again, or paste it.",
	"license_not_found":         "This license key is not known for this app.",
	"license_replaced":          "This license key was replaced by a new one. Please enter the new key.",
	"license_revoked":           "This license was revoked. Please contact support.",
	"license_refunded":          "This license was refunded.",
	"license_disputed":          "The payment of this license is disputed. It works again once the dispute is settled.",
	"license_suspended":         "This license is on hold. Please contact support.",
	"license_expired":           "This license has expired.",
	"activation_limit_exceeded": "All seats of this license are taken. Release a device that you no longer use at {manage}.",
	"deactivation_not_allowed":  "This license cannot be moved to another device.",
	"lease_valid":               "This app is licensed. The license will be checked again online.",
	"licensed_until":            "This app is licensed until {date}.",
	"lease_expired":             "The license has not been confirmed for too long. Please connect to the internet once.",
	"clock_set_back":            "The clock of this device seems to be wrong. Please correct it, and connect to the internet once.",
	"lease_refused":             "This license file is not for this app on this device.",
	"test_key_refused":          "This license is for testing, and only builds with the option allowTestKeys take it. Please enter your own license key.",
	"no_license":                "Please enter your license key.",
	"not_stored":                "The license cannot be stored on this device. Please free disk space, or let this app write to its folder, and try again.",
	"unreachable":               "The license cannot be checked now. Please connect to the internet and try again.",
	"request_refused":           "The license could not be checked. Please contact support.",
}

// Status tells whether the app may run, and what to tell the user.
type Status struct {
	Allowed  bool
	Code     string
	Source   string // who decided: "service", "lease" or "none"
	Message  string
	Until    int64 // when the lease that is kept ends, in seconds since 1970; 0 if there is none
	Features []string
	// How many devices have a seat, of how many, and when the license itself ends (ISO 8601):
	// where the service has just said so. Limit is 0, and ExpiresAt empty, where it has not.
	Seats, Limit int64
	ExpiresAt    string
	UpdatesUntil *int64 // until when updates come, in seconds since 1970; nil: without end
	AskOnline    bool   // decided without the service: call Check again once there is a network
}

// Covers tells whether the license may run a build that was released at this time, in seconds since 1970.
func (s Status) Covers(releasedAt int64) bool {
	return s.Allowed && (s.UpdatesUntil == nil || releasedAt <= *s.UpdatesUntil)
}

// Key is a public key of the service, as /.well-known/jwks.json shows it.
type Key struct {
	Kid string `json:"kid"`
	X   string `json:"x"`
	Y   string `json:"y"`
}

// Storage keeps the state of the license on this device. Save writes it whole or not at all.
type Storage interface {
	Load() ([]byte, error)
	Save(state []byte) error
}

// SharedStorage is a Storage for several processes at once, as FileStorage is.
type SharedStorage interface {
	Storage
	// ClaimFingerprint keeps the fingerprint unless there is one, and returns what is kept: the same to all processes.
	ClaimFingerprint(offered string) (string, error)
	// Lock lets one process after the other change the state, until it calls what this returns.
	Lock() (unlock func())
}

// Options of a client. The first three are required, and AppName or Storage.
type Options struct {
	BaseURL, ProductID      string
	Keys                    []Key
	AppName                 string  // names the default place of the state
	Storage                 Storage // FileStorage(path), or your own: a SharedStorage where several processes may run at once
	AppVersion, DeviceLabel string
	Clock                   func() time.Time
	RequireLease            bool          // a reply without a lease that verifies counts as none
	AllowTestKeys           bool          // test keys are taken, too: in builds for yourself alone
	LookEvery               time.Duration // how often Watch looks at the clock; a minute unless it says else
}

// Client is the license of one product on this device.
type Client struct {
	options Options
	http    http.Client
	mutex   sync.Mutex // of changes of the state
}

// New makes a client; an error tells that the options are not complete.
func New(options Options) (*Client, error) {
	if options.BaseURL == "" || options.ProductID == "" || len(options.Keys) == 0 {
		return nil, errors.New("licenseclient: BaseURL, ProductID and Keys are required")
	}
	if options.Storage == nil {
		if options.AppName == "" {
			options.AppName = options.ProductID
		}
		options.Storage = FileStorage(defaultPlace(options.AppName))
	}
	if options.Clock == nil {
		options.Clock = time.Now
	}
	if options.LookEvery == 0 {
		options.LookEvery = time.Minute
	}
	options.BaseURL = strings.TrimRight(options.BaseURL, "/")
	return &Client{options: options, http: http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, DisableKeepAlives: true},
		Timeout:   attemptTime,
		// The license key is for the service alone.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Activate takes a seat for this device, with the key as the user typed it. Without a reply it is kept, and tried again by Check.
// The error is always nil; it is there for apps that were written when there was one.
func (c *Client) Activate(ctx context.Context, key string) (Status, error) {
	return c.activate(ctx, key), nil
}

func (c *Client) activate(ctx context.Context, key string) Status {
	if !c.canKeep(key) {
		return c.withCode(c.CheckOffline(), "not_stored")
	}
	reply := c.askForSeat(ctx, key)
	if reply.kind == none {
		return c.unanswered(key)
	}
	if c.load().PendingKey != "" {
		c.update(func(kept *state) { kept.PendingKey = "" })
	}
	switch {
	case reply.kind == answer && reply.body["valid"] == true:
		return c.granted(ctx, key, reply)
	case reply.kind == answer:
		return c.refused(ctx, key, reply)
	case reply.code == "activation_limit_exceeded":
		return c.denied(ctx, key, reply)
	}
	return c.withCode(c.CheckOffline(), "request_refused")
}

// Check asks the service, at the start and about once a day; it goes by the lease where there is no answer.
func (c *Client) Check(ctx context.Context) Status {
	kept := c.load()
	if kept.PendingKey != "" {
		return c.activate(ctx, kept.PendingKey)
	}
	key := kept.LicenseKey
	if key == "" {
		return c.CheckOffline()
	}
	if c.fingerprint() == "" {
		return c.withCode(c.CheckOffline(), "not_stored")
	}
	reply := c.askForLease(ctx, "validate", key)
	switch {
	case reply.kind != answer:
		return c.CheckOffline()
	case reply.body["valid"] != true:
		return c.refused(ctx, key, reply)
	case reply.body["device_activated"] == false:
		// The seat was freed elsewhere, or the state came here from another device.
		return c.activate(ctx, key)
	}
	return c.granted(ctx, key, reply)
}

// Watch checks about once a day, when the device woke up, and each hour while the service does not answer.
// It shows each status, and goes on until ctx is done.
func (c *Client) Watch(ctx context.Context, show func(Status)) {
	looks := time.NewTicker(c.options.LookEvery)
	defer looks.Stop()
	seen := c.options.Clock().Unix()
	due := seen + around(day)
	for {
		select {
		case <-ctx.Done():
			return
		case <-looks.C:
		}
		now := c.options.Clock().Unix()
		hasJumped := now > seen+clockTolerance || now < seen-clockTolerance
		if seen = now; now < due && !hasJumped {
			continue
		}
		status := c.Check(ctx)
		due = now + around(day)
		if status.AskOnline {
			due = now + around(hour)
		}
		if ctx.Err() == nil {
			show(status)
		}
	}
}

// So that those who were started together do not ask together.
func around(seconds float64) int64 { return int64(seconds * (0.75 + mathrand.Float64()/2)) }

// CheckOffline goes by the lease that is kept, and sends nothing.
func (c *Client) CheckOffline() Status {
	clock := c.options.Clock().Unix()
	kept := c.update(func(kept *state) {
		// A clock that was set back does not make a lease last longer.
		if kept.LatestSeen < clock {
			kept.LatestSeen = clock
		}
	})
	latestSeen := kept.LatestSeen
	verdict, lease := c.verify(kept.Lease, "", time.Unix(latestSeen, 0))
	setBack := clock+clockTolerance < latestSeen
	hasKey := kept.LicenseKey != "" || kept.PendingKey != ""
	status := Status{Source: "none", Code: "unreachable", AskOnline: setBack || hasKey}
	switch {
	case verdict == "expired":
		status.Source, status.Until, status.Code, status.UpdatesUntil = "lease", lease.Exp, "lease_expired", lease.UpdatesUntil
	case verdict == "valid":
		status.Allowed, status.Source, status.Until, status.Features = true, "lease", lease.Exp, lease.Features
		status.Code, status.UpdatesUntil = "lease_valid", lease.UpdatesUntil
		if setBack {
			status.Code = "clock_set_back"
		} else if lease.Kind == "offline" {
			status.Code = "licensed_until"
		}
	case verdict == "test":
		status.Source, status.Code = "lease", "test_key_refused"
	case !hasKey:
		status.Code = "no_license"
	case kept.PendingKey == "" && kept.Refused != "":
		status.Code = kept.Refused
	}
	return c.withCode(status, status.Code)
}

// Deactivate frees the seat of this device and forgets the key; it keeps everything where there is no answer.
func (c *Client) Deactivate(ctx context.Context) Status {
	key := c.load().LicenseKey
	if key == "" {
		c.update(func(kept *state) { kept.PendingKey = "" })
		return c.withCode(Status{Source: "none"}, "no_license")
	}
	reply := c.ask(ctx, "deactivate", key, "")
	if reply.kind != answer {
		return c.withCode(c.CheckOffline(), reply.code)
	}
	c.update(func(kept *state) { kept.LicenseKey, kept.PendingKey, kept.Lease, kept.Refused = "", "", "", "" })
	return c.withCode(Status{Source: "service"}, reply.code)
}

// MakeRequestCode makes what the user of a device without network takes to the page /activate.
// It is the same until a lease is imported. An error tells that it cannot be stored.
func (c *Client) MakeRequestCode() (string, error) {
	fingerprint := c.fingerprint()
	if fingerprint == "" {
		return "", errors.New("licenseclient: " + Messages["not_stored"])
	}
	nonce := c.update(func(kept *state) {
		if kept.Nonce == "" {
			kept.Nonce = randomText()
		}
	}).Nonce
	request := map[string]string{"p": c.options.ProductID, "d": fingerprint, "n": nonce}
	if c.options.DeviceLabel != "" {
		request["l"] = c.options.DeviceLabel
	}
	body, err := json.Marshal(request)
	return "LAR1." + toBase64url(body), err
}

// ImportLease takes the text of the file license.lease that the page /activate gave.
func (c *Client) ImportLease(text string) Status {
	text = strings.TrimSpace(text)
	verdict, lease := c.verify(text, c.load().Nonce, c.options.Clock())
	switch verdict {
	case "valid", "clock": // A device without network cannot ask whose clock is wrong.
		c.update(func(kept *state) {
			// An answer to this very request code heals a clock that once ran ahead; an old file must not.
			if kept.Nonce != "" || lease.Iat > kept.LatestSeen {
				kept.LatestSeen = lease.Iat
			}
			kept.Lease, kept.Nonce, kept.Refused = text, "", ""
		})
		return c.CheckOffline()
	case "expired":
		return c.withCode(c.CheckOffline(), "lease_expired")
	case "test":
		return c.withCode(c.CheckOffline(), "test_key_refused")
	}
	return c.withCode(c.CheckOffline(), "lease_refused")
}

func (c *Client) granted(ctx context.Context, key string, reply reply) Status {
	if reply.body["test"] == true && !c.options.AllowTestKeys {
		if reply.body["device_activated"] == true {
			c.ask(ctx, "deactivate", key, "") // A build that takes test keys has left its seat.
		}
		reply.code = "test_key_refused"
		return c.refused(ctx, key, reply)
	}
	if c.options.RequireLease && reply.lease == nil {
		return c.unanswered(key)
	}
	var lease *Lease
	c.update(func(kept *state) {
		kept.LicenseKey, kept.Refused = key, ""
		if _, lease = c.verify(kept.Lease, "", time.Time{}); lease != nil && lease.LicenseID != reply.body["license_id"] {
			lease = nil
		}
		if lease == nil {
			kept.Lease = ""
		}
		if reply.lease == nil {
			return
		}
		// The signed time, not the later of both: it heals a clock that once ran ahead.
		kept.LatestSeen = reply.lease.Iat
		if lease == nil || lease.Exp <= reply.lease.Exp {
			kept.Lease, _ = reply.body["lease"].(string)
			lease = reply.lease
		}
	})
	if c.load().LicenseKey != key {
		// The next start would take another seat.
		c.ask(ctx, "deactivate", key, "")
		return c.withCode(c.CheckOffline(), "not_stored")
	}
	status := reply.terms(Status{Allowed: true, Source: "service"})
	if lease != nil {
		status.Until, status.Features = lease.Exp, lease.Features
	}
	if features, ok := texts(reply.body["features"]); ok {
		status.Features = features
	}
	if _, known := Messages[reply.code]; known {
		return c.withCode(status, reply.code)
	}
	status = c.withCode(status, "valid")
	status.Code = reply.code
	return status
}

func (c *Client) unanswered(key string) Status {
	c.update(func(kept *state) {
		if kept.LicenseKey != key {
			kept.PendingKey = key
		}
	})
	return c.CheckOffline()
}

func (c *Client) refused(ctx context.Context, key string, reply reply) Status {
	c.update(func(kept *state) {
		if kept.LicenseKey == key {
			kept.Lease, kept.Refused = "", reply.code
		}
	})
	return c.denied(ctx, key, reply)
}

// denied is a no for this key. The license that the device has under another one goes on.
func (c *Client) denied(ctx context.Context, key string, reply reply) Status {
	if kept := c.load().LicenseKey; kept != key {
		status := c.CheckOffline()
		if !status.Allowed && kept != "" {
			status = c.Check(ctx) // Where its terms give no lease, only the service knows.
		}
		if status.Allowed {
			return c.withCode(status, reply.code)
		}
	}
	return c.withCode(reply.terms(Status{Source: "service"}), reply.code)
}

// withCode is the status with another code and its message. A code that is not known may come one day.
func (c *Client) withCode(status Status, code string) Status {
	message, known := Messages[code]
	if !known {
		message = Messages["request_refused"]
	}
	date := time.Unix(status.Until, 0).UTC().Format("2006-01-02")
	status.Code = code
	status.Message = strings.NewReplacer("{date}", date, "{manage}", c.options.BaseURL+"/manage").Replace(message)
	return status
}

// terms adds what the service says of the license besides whether it may be used.
func (r reply) terms(status Status) Status {
	status.Seats, _ = integer(r.body["activation_count"])
	status.Limit, _ = integer(r.body["activation_limit"])
	status.ExpiresAt, _ = r.body["expires_at"].(string)
	text, _ := r.body["updates_until"].(string)
	if end, err := time.Parse(time.RFC3339, text); err == nil {
		seconds := end.Unix()
		status.UpdatesUntil = &seconds
	}
	return status
}

// What is kept on this device. Missing or broken members count as never stored.
type state struct {
	Fingerprint string `json:"fingerprint,omitempty"`
	LicenseKey  string `json:"license_key,omitempty"`
	PendingKey  string `json:"pending_key,omitempty"` // one that the user typed when the service did not reply
	Lease       string `json:"lease,omitempty"`
	Refused     string `json:"refused,omitempty"` // the code of the service's last no to LicenseKey
	Nonce       string `json:"nonce,omitempty"`   // of the request code that waits for its lease
	LatestSeen  int64  `json:"latest_seen,omitempty"`
}

func (c *Client) load() (kept state) {
	if data, err := c.options.Storage.Load(); err == nil {
		_ = json.Unmarshal(data, &kept)
	}
	return kept
}

func (c *Client) update(change func(*state)) state {
	changed, _ := c.store(change)
	return changed
}

// store also tells whether the state could be saved: a full disk must not stop an app that is paid for.
func (c *Client) store(change func(*state)) (changed state, isStored bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if shared, ok := c.options.Storage.(SharedStorage); ok {
		defer shared.Lock()()
	}
	changed = c.load()
	change(&changed)
	data, err := json.Marshal(changed)
	return changed, err == nil && c.options.Storage.Save(data) == nil
}

// canKeep tells whether the device would know its seat again. The key is stored before it is asked for, in case the app is
// killed meanwhile.
func (c *Client) canKeep(key string) bool {
	if c.fingerprint() == "" {
		return false
	}
	if c.load().LicenseKey == key {
		return true
	}
	_, isStored := c.store(func(kept *state) { kept.PendingKey = key })
	return isStored
}

// Made once at random, never from hardware. Empty where it cannot be kept: it would take another seat at each start.
func (c *Client) fingerprint() string {
	stored := c.load().Fingerprint
	// One that an older client kept in its state is offered, so that the device stays the same.
	claimed := c.claimFingerprint(stored)
	if stored != "" && (claimed == "" || claimed == stored) {
		return stored
	}
	c.update(func(kept *state) {
		if claimed != "" {
			kept.Fingerprint = claimed
		} else if kept.Fingerprint == "" {
			kept.Fingerprint = randomText()
		}
	})
	if claimed == "" {
		claimed = c.load().Fingerprint
	}
	return claimed
}

func (c *Client) claimFingerprint(offered string) string {
	shared, ok := c.options.Storage.(SharedStorage)
	if !ok {
		return ""
	}
	if offered == "" {
		offered = randomText()
	}
	claimed, err := shared.ClaimFingerprint(offered)
	if err != nil {
		return ""
	}
	return claimed
}

type replyKind int

const (
	none    replyKind = iota // nothing that came from the service
	answer                   // about the license
	refusal                  // about the request
)

type reply struct {
	kind  replyKind
	code  string
	body  map[string]any
	lease *Lease // the one in it, where that verified
}

// askForSeat asks first what the key is: one for tests, which the app does not take, gets no seat.
func (c *Client) askForSeat(ctx context.Context, key string) reply {
	if !c.options.AllowTestKeys {
		reply := c.askForLease(ctx, "validate", key)
		if reply.kind != answer || reply.body["valid"] != true || reply.body["test"] == true {
			return reply
		}
	}
	return c.askForLease(ctx, "activate", key)
}

func (c *Client) askForLease(ctx context.Context, call, key string) reply {
	nonce := randomText()
	reply := c.ask(ctx, call, key, nonce)
	// Without the nonce a lease that was given before a refund could be played back.
	text, _ := reply.body["lease"].(string)
	_, reply.lease = c.verify(text, nonce, time.Time{})
	return reply
}

// ask tries a few times.
func (c *Client) ask(ctx context.Context, call, key, nonce string) reply {
	fingerprint := c.fingerprint()
	if fingerprint == "" {
		return reply{code: "unreachable"}
	}
	body, err := json.Marshal(struct {
		ProductID   string `json:"product_id"`
		LicenseKey  string `json:"license_key"`
		Fingerprint string `json:"device_fingerprint"`
		Nonce       string `json:"nonce,omitempty"`
		DeviceLabel string `json:"device_label,omitempty"`
		AppVersion  string `json:"app_version,omitempty"`
	}{c.options.ProductID, key, fingerprint, nonce, c.options.DeviceLabel, c.options.AppVersion})
	if err != nil {
		return reply{code: "unreachable"}
	}
	for attempt := 0; ; attempt++ {
		reply, wait := c.askOnce(ctx, call, body)
		if reply.kind != none || attempt == attempts-1 || wait > longestRetryAfter {
			return reply
		}
		if wait < 0 {
			wait = time.Duration((0.5 + mathrand.Float64()/2) * float64(time.Second<<attempt))
		}
		select {
		case <-ctx.Done():
			return reply
		case <-time.After(wait):
		}
	}
}

// askOnce also tells how long the service asks to wait; negative if it does not say.
func (c *Client) askOnce(ctx context.Context, call string, body []byte) (reply, time.Duration) {
	nothing, wait := reply{code: "unreachable"}, time.Duration(-1)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.options.BaseURL+"/v1/licenses/"+call, bytes.NewReader(body))
	if err != nil {
		return nothing, wait
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return nothing, wait
	}
	defer response.Body.Close()
	// Of a number that is out of range it gives the largest.
	if seconds, err := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(seconds) * time.Second
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, largestReply+1))
	if err != nil || len(text) > largestReply {
		return nothing, wait
	}
	return readReply(response.StatusCode, text), wait
}

// Only what has the form of the service's own replies counts: captive portals answer anything.
func readReply(status int, text []byte) reply {
	body, err := parseObject(text)
	code, hasCode := body["code"].(string)
	_, hasValid := body["valid"].(bool)
	switch {
	case err != nil || !hasCode:
	case status == 200 && hasValid:
		return reply{kind: answer, code: code, body: body}
	case status == 400 || status == 403 || status == 409:
		return reply{kind: refusal, code: code, body: body}
	}
	return reply{code: "unreachable"}
}

func (c *Client) verify(lease, nonce string, now time.Time) (string, *Lease) {
	return VerifyLease(lease, Expected{
		Keys: c.options.Keys, Issuer: c.options.BaseURL, ProductID: c.options.ProductID, Fingerprint: c.load().Fingerprint, Nonce: nonce, Now: now,
		AllowTestKeys: c.options.AllowTestKeys,
	})
}

// Expected is what a lease must be for.
type Expected struct {
	Keys                           []Key
	Issuer, ProductID, Fingerprint string
	Nonce                          string    // empty: none was sent
	Now                            time.Time // zero: valid at any time
	AllowTestKeys                  bool      // whether a lease of a test key is one, too
}

// Lease is the part of a lease that decides. Times are seconds since 1970.
type Lease struct {
	LicenseID string
	Iat, Exp  int64
	Features  []string
	Kind      any // "offline": it came as a file
	// Until when updates come; nil: without end.
	UpdatesUntil *int64
}

// VerifyLease says "valid", or the first fault in a fixed order.
// The lease is there once it is known to be for this device.
func VerifyLease(text string, expected Expected) (string, *Lease) {
	parts := strings.Split(text, ".")
	if len(text) > longestLease || len(parts) != 3 {
		return "malformed", nil
	}
	header, headerErr := parseEncoded(parts[0])
	payload, payloadErr := parseEncoded(parts[1])
	signature, signatureErr := fromBase64url(parts[2])
	if headerErr != nil || payloadErr != nil || signatureErr != nil {
		return "malformed", nil
	}
	if header["alg"] != "ES256" {
		return "alg", nil
	}
	if header["typ"] != "license-lease+jwt" {
		return "typ", nil
	}
	// Each of these would let the lease name its own key, or demand rules that are not kept here.
	for _, name := range []string{"jwk", "jku", "x5u", "x5c", "crit"} {
		if _, has := header[name]; has {
			return "header", nil
		}
	}
	key := findKey(expected.Keys, header["kid"])
	if key == nil {
		return "kid", nil
	}
	if !key.signed(parts[0]+"."+parts[1], signature) {
		return "signature", nil
	}
	return judgeClaims(payload, expected)
}

func judgeClaims(claims map[string]any, expected Expected) (string, *Lease) {
	issuer, hasIssuer := claims["iss"].(string)
	licenseID, hasLicense := claims["sub"].(string)
	device, hasDevice := claims["dev"].(string)
	iat, hasIat := integer(claims["iat"])
	exp, hasExp := integer(claims["exp"])
	features, hasFeatures := texts(claims["features"])
	audience, hasAudience := claims["aud"].(string)
	_, hasAudiences := claims["aud"].([]any)
	if !hasIssuer || !hasLicense || !hasDevice || !hasIat || !hasExp || !hasFeatures || !(hasAudience || hasAudiences) {
		return "malformed", nil
	}
	var updatesUntil *int64
	if claim, has := claims["updates_until"]; has {
		seconds, isWhole := integer(claim)
		if !isWhole {
			return "malformed", nil
		}
		updatesUntil = &seconds
	}
	hash := sha256.Sum256([]byte(licenseID + "\x00" + expected.Fingerprint))
	switch {
	case issuer != expected.Issuer:
		return "issuer", nil
	case audience != expected.ProductID:
		return "product", nil
	case device != toBase64url(hash[:]):
		return "device", nil
	case expected.Nonce != "" && claims["nonce"] != expected.Nonce:
		return "nonce", nil
	case claims["test"] == true && !expected.AllowTestKeys:
		return "test", nil
	}
	lease := &Lease{LicenseID: licenseID, Iat: iat, Exp: exp, Features: features, Kind: claims["kind"], UpdatesUntil: updatesUntil}
	switch {
	case expected.Now.IsZero():
		return "valid", lease
	case expected.Now.Unix() >= exp:
		return "expired", lease
	case iat > expected.Now.Unix()+clockTolerance:
		return "clock", lease
	}
	return "valid", lease
}

func findKey(keys []Key, kid any) *Key {
	for i := range keys {
		if keys[i].Kid == kid {
			return &keys[i]
		}
	}
	return nil
}

// ECDSA on P-256 with SHA-256; the signature is r and s, 32 bytes each.
func (k *Key) signed(text string, signature []byte) bool {
	x, xErr := fromBase64url(k.X)
	y, yErr := fromBase64url(k.Y)
	if xErr != nil || yErr != nil || len(signature) != 64 {
		return false
	}
	key := ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	hash := sha256.Sum256([]byte(text))
	// ecdsa.Verify itself refuses r and s that are 0, or not below the order of the curve.
	return key.Curve.IsOnCurve(key.X, key.Y) && ecdsa.Verify(&key, hash[:], r, s)
}

func parseEncoded(text string) (map[string]any, error) {
	data, err := fromBase64url(text)
	if err != nil {
		return nil, err
	}
	return parseObject(data)
}

var errForm = errors.New("licenseclient: not of the expected form")

// parseObject is stricter than json.Unmarshal, which takes "EXP" for "exp", the last of two equal names, and any bytes.
func parseObject(data []byte) (map[string]any, error) {
	if !utf8.Valid(data) || !json.Valid(data) {
		return nil, errForm
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	value, err := parseValue(decoder)
	object, ok := value.(map[string]any)
	if err != nil || !ok {
		return nil, errForm
	}
	return object, nil
}

func parseValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := map[string]any{}
		for decoder.More() {
			token, _ := decoder.Token()
			name, _ := token.(string)
			if _, twice := object[name]; twice {
				return nil, errForm
			}
			if object[name], err = parseValue(decoder); err != nil {
				return nil, err
			}
		}
		_, err = decoder.Token()
		return object, err
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			value, err := parseValue(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = decoder.Token()
		return list, err
	}
	return token, nil
}

func integer(value any) (int64, bool) {
	text, _ := value.(json.Number)
	number, err := text.Float64()
	return int64(number), err == nil && number == math.Trunc(number) && math.Abs(number) < 1<<53
}

func texts(value any) ([]string, bool) {
	list, ok := value.([]any)
	result := make([]string, len(list))
	for i, item := range list {
		if result[i], ok = item.(string); !ok {
			return nil, false
		}
	}
	return result, ok
}

// fromBase64url refuses what is not written as toBase64url writes it: line breaks, padding, bits left over.
func fromBase64url(text string) ([]byte, error) {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil && toBase64url(data) != text {
		err = errForm
	}
	return data, err
}

func toBase64url(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

func randomText() string {
	data := make([]byte, 16)
	if _, err := rand.Read(data); err != nil {
		panic(err) // The system has no randomness: nothing may go on as if it had.
	}
	return toBase64url(data)
}

// FileStorage keeps the state in the file at this path, for this user alone.
type FileStorage string

// Load reads the file.
func (path FileStorage) Load() ([]byte, error) { return os.ReadFile(string(path)) }

// Save replaces the file whole or not at all, also when the app is killed meanwhile.
func (path FileStorage) Save(state []byte) error {
	if err := path.makeFolder(); err != nil {
		return err
	}
	temporary := string(path) + "." + randomText()
	if err := writeNewFile(temporary, state); err != nil {
		return err
	}
	err := os.Rename(temporary, string(path))
	if err != nil {
		os.Remove(temporary)
	}
	return err
}

// ClaimFingerprint keeps it in a file of its own.
func (path FileStorage) ClaimFingerprint(offered string) (string, error) {
	file := string(path) + ".fingerprint"
	isWhole := func(kept []byte, _ error) bool { return len(kept) > 0 && bytes.IndexByte(kept, 0) < 0 }
	if kept, err := os.ReadFile(file); isWhole(kept, err) {
		return string(kept), nil
	}
	defer path.Lock()()
	if !isWhole(os.ReadFile(file)) {
		os.Remove(file) // What is empty is left of a device that lost its power.
	}
	if err := writeNewFile(file, []byte(offered)); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	kept, err := os.ReadFile(file)
	return string(kept), err
}

// Lock makes a file. Nobody needs it for a second: one that lasts is left of an app that was killed.
// Where no file can be written there is none.
func (path FileStorage) Lock() (unlock func()) {
	lock := string(path) + ".lock"
	if path.makeFolder() == nil {
		for look := 0; look < 50; look++ {
			file, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err == nil {
				file.Close()
			}
			if !errors.Is(err, os.ErrExist) {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	return func() { os.Remove(lock) }
}

func (path FileStorage) makeFolder() error { return os.MkdirAll(filepath.Dir(string(path)), 0o700) }

// Fails when there is such a file, and leaves none that is not whole.
func writeNewFile(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if syncErr := file.Sync(); err == nil {
		err = syncErr
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}

// Not a folder that is synchronized to other devices: the fingerprint is of this one.
func defaultPlace(appName string) string {
	home, _ := os.UserHomeDir()
	folder := os.Getenv("XDG_STATE_HOME")
	switch {
	case runtime.GOOS == "darwin":
		folder = filepath.Join(home, "Library", "Application Support")
	case runtime.GOOS == "windows":
		if folder = os.Getenv("LOCALAPPDATA"); folder == "" {
			folder = filepath.Join(home, "AppData", "Local")
		}
	case folder == "":
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, appName, "license.json")
}
