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

//! License client for Rust: one file. It activates a license key on this device, keeps the lease that the license
//! service signed, and decides from it while the service cannot be reached.
//!
//! ```ignore
//! let key = |kid: &str, x: &str, y: &str| LeaseKey { kid: kid.into(), x: x.into(), y: y.into() };
//! // Copied from /.well-known/jwks.json into the build:
//! let keys = vec![key("…", "…", "…"), key("…", "…", "…")];
//! let mut options = Options::new("https://api.example.com", "prd_…", keys);
//! options.app_name = "Photo Studio".into();
//! let mut client = LicenseClient::new(options);
//! let mut status = client.check()?; // at the start
//! if status.code == "no_license" { status = client.activate(&key_that_the_user_typed)?; }
//! if !status.allowed { show(status.message); }
//! // Daily, and when the device wakes up, until `watching` is dropped:
//! let watching = watch(Arc::new(Mutex::new(client)), |later| if !later.allowed { show(later.message) });
//! ```
//!
//! Needs in Cargo.toml: `curl = "0.4.44"`, `ring = "0.17"` and `serde_json = "1.0.87"`; with ring 0.16.20 instead it
//! builds with Rust 1.63. Calls block while they wait for the network: keep them off the thread that draws.
//!
//! Proxy and trust store. libcurl obeys HTTPS_PROXY, ALL_PROXY and NO_PROXY. It trusts the system's certificates:
//! OpenSSL's or GnuTLS's folder on Linux, the certificate store on Windows, the keychain on macOS.

use curl::easy::{Easy, List};
use ring::rand::{SecureRandom, SystemRandom};
use ring::{digest, signature};
use serde_json::{json, Map, Value};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, fs, thread};

const ATTEMPTS: u32 = 3;
const TIMEOUT: Duration = Duration::from_secs(10);
const LONGEST_RETRY_AFTER: f64 = 5.0;
const LONGEST_REPLY: usize = 131_072;
const LONGEST_LEASE: usize = 65_536;
/// Seconds that a clock may be wrong.
const TOLERANCE: i64 = 300;
const HOUR: i64 = 3_600;
const DAY: i64 = 86_400;

type Object = Map<String, Value>;

/// A sentence for the user, by code. The client puts a date of ISO 8601 and the address of the page for buyers into it.
pub const MESSAGES: [(&str, &str); 25] = [
    ("valid", "This app is licensed."),
    ("activated", "This device is now activated."),
    ("already_activated", "This device is activated."),
    ("deactivated", "This device is no longer activated."),
    ("not_activated", "This device was not activated."),
    ("license_key_malformed", "This license key seems to be mistyped or incomplete. Please look at it again, or paste it."),
    ("license_not_found", "This license key is not known for this app."),
    ("license_replaced", "This license key was replaced by a new one. Please enter the new key."),
    ("license_revoked", "This license was revoked. Please contact support."),
    ("license_refunded", "This license was refunded."),
    ("license_disputed", "The payment of this license is disputed. It works again once the dispute is settled."),
    ("license_suspended", "This license is on hold. Please contact support."),
    ("license_expired", "This license has expired."),
    ("activation_limit_exceeded", "All seats of this license are taken. Release a device that you no longer use at {manage}."),
    ("deactivation_not_allowed", "This license cannot be moved to another device."),
    ("lease_valid", "This app is licensed. The license will be checked again online."),
    ("licensed_until", "This app is licensed until {date}."),
    ("lease_expired", "The license has not been confirmed for too long. Please connect to the internet once."),
    ("clock_set_back", "The clock of this device seems to be wrong. Please correct it, and connect to the internet once."),
    ("lease_refused", "This license file is not for this app on this device."),
    ("test_key_refused", "This license is for testing, and only builds with the option allowTestKeys take it. Please enter your own license key."),
    ("no_license", "Please enter your license key."),
    ("not_stored", "The license cannot be stored on this device. Please free disk space, or let this app write to its folder, and try again."),
    ("unreachable", "The license cannot be checked now. Please connect to the internet and try again."),
    ("request_refused", "The license could not be checked. Please contact support."),
];

/// A public key of the service, pinned in the app: pin two or more, so that the service can change to the next.
pub struct LeaseKey {
    pub kid: String,
    pub x: String,
    pub y: String,
}

/// Where the state is kept. What was saved must be there whole or not at all, also when the app is killed meanwhile.
pub trait Storage: Send {
    fn load(&self) -> io::Result<String>;
    fn save(&self, text: &str) -> io::Result<()>;
    /// Keeps the fingerprint unless there is one, and returns what is kept: the same to all processes. None: the state keeps it.
    fn claim_fingerprint(&self, _offered: &str) -> io::Result<Option<String>> {
        Ok(None)
    }
    /// Lets one process after the other change the state. Needed where several may run at once.
    fn exclusively(&self, change: &mut dyn FnMut()) {
        change()
    }
}

pub struct Options {
    pub base_url: String,
    pub product_id: String,
    pub keys: Vec<LeaseKey>,
    /// Names the folder of the state. Default: the product's id.
    pub app_name: String,
    /// Default: a file in the place where the system keeps such things for a user.
    pub storage: Option<Box<dyn Storage>>,
    pub app_version: Option<String>,
    /// What the user calls this device.
    pub device_label: Option<String>,
    /// Believe an answer "valid" only with a lease: then a forged server is of no use.
    pub require_lease: bool,
    /// Take test keys, too: in builds for yourself alone.
    pub allow_test_keys: bool,
    /// How often `watch` looks at the clock.
    pub look_every: Duration,
    /// Seconds since 1970.
    pub clock: Box<dyn Fn() -> i64 + Send>,
}

impl Options {
    pub fn new(base_url: &str, product_id: &str, keys: Vec<LeaseKey>) -> Self {
        Options {
            base_url: base_url.into(),
            product_id: product_id.into(),
            keys,
            app_name: product_id.into(),
            storage: None,
            app_version: None,
            device_label: None,
            require_lease: false,
            allow_test_keys: false,
            look_every: Duration::from_secs(60),
            clock: Box::new(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Source {
    /// The service, just now.
    Service,
    /// The lease that is kept.
    Lease,
    #[default]
    None,
}

#[derive(Clone, Debug, Default)]
pub struct Status {
    /// Whether the app may run.
    pub allowed: bool,
    pub code: String,
    /// Who decided.
    pub source: Source,
    /// A sentence for the user.
    pub message: String,
    /// When the lease that is kept ends, in seconds since 1970.
    pub until: Option<i64>,
    pub features: Vec<String>,
    /// How many devices have a seat, of how many, and when the license itself ends (ISO 8601): where the service has just said so.
    pub seats: Option<i64>,
    pub limit: Option<i64>,
    pub expires_at: Option<String>,
    /// Until when updates come, in seconds since 1970; None: without end.
    pub updates_until: Option<i64>,
    /// Whether to call `check` as soon as there is a network.
    pub ask_online: bool,
}

impl Status {
    /// Whether the license may run a build that was released at this time, in seconds since 1970.
    pub fn covers(&self, released_at: i64) -> bool {
        self.allowed && self.updates_until.map_or(true, |end| released_at <= end)
    }
}

pub struct LicenseClient {
    options: Options,
    issuer: String,
    storage: Box<dyn Storage>,
}

/// Only `make_request_code` fails, where nothing can be stored; the others give a status then.
impl LicenseClient {
    pub fn new(mut options: Options) -> Self {
        let issuer = options.base_url.trim_end_matches('/').to_string();
        let storage = options.storage.take().unwrap_or_else(|| Box::new(FileStorage::new(default_path(&options.app_name))));
        LicenseClient { options, issuer, storage }
    }

    /// Takes a seat for this device. Send the key as the user typed it. Without a reply it is kept, and tried again by `check`.
    pub fn activate(&mut self, key: &str) -> io::Result<Status> {
        if !self.can_keep(key) {
            return Ok(self.refused_offline("not_stored"));
        }
        let reply = self.ask_for_seat(key);
        if let Reply::None = reply {
            return Ok(self.unanswered(key));
        }
        self.forget(&["pending_key"]);
        match reply {
            Reply::Answer(answer) => self.decide(key, answer),
            Reply::Refusal(code) if code == "activation_limit_exceeded" => self.denied(key, &code, &Object::new()),
            _ => Ok(self.refused_offline("request_refused")),
        }
    }

    /// Call it at the start and about once a day. Only the service, or the end of the lease, ends what was allowed.
    pub fn check(&mut self) -> io::Result<Status> {
        let state = self.load();
        if let Some(pending) = text(&state, "pending_key") {
            return self.activate(pending);
        }
        let key = match text(&state, "license_key") {
            Some(key) => key,
            None => return Ok(self.check_offline()),
        };
        if self.fingerprint().is_none() {
            return Ok(self.refused_offline("not_stored"));
        }
        match self.ask("validate", key) {
            // The seat was freed elsewhere, or the state came here from another device.
            Reply::Answer(answer) if answer.valid && answer.body.get("device_activated") == Some(&json!(false)) => self.activate(key),
            Reply::Answer(answer) => self.decide(key, answer),
            _ => Ok(self.check_offline()),
        }
    }

    /// Decides by the lease that is kept. Sends nothing.
    pub fn check_offline(&mut self) -> Status {
        let clock = (self.options.clock)();
        let mut time = clock;
        let state = self.update(|state| {
            time = clock.max(latest_seen(state).unwrap_or(clock));
            state.insert("latest_seen".into(), json!(time));
        });
        let clock_is_set_back = clock + TOLERANCE < time;
        let has_key = text(&state, "license_key").or(text(&state, "pending_key")).is_some();
        let kept = self.verify(&state, text(&state, "lease"), None, Some(time));
        let (allowed, code, source) = match kept.verdict {
            "valid" if clock_is_set_back => (true, "clock_set_back", Source::Lease),
            "valid" if kept.claims.as_ref().map_or(false, |claims| claims.kind == "offline") => (true, "licensed_until", Source::Lease),
            "valid" => (true, "lease_valid", Source::Lease),
            "test" => (false, "test_key_refused", Source::Lease),
            "expired" => (false, "lease_expired", Source::Lease),
            _ if has_key => (false, text(&state, "refused").filter(|_| !state.contains_key("pending_key")).unwrap_or("unreachable"), Source::None),
            _ => (false, "no_license", Source::None),
        };
        let claims = kept.claims.filter(|_| source == Source::Lease);
        let until = claims.as_ref().map(|claims| claims.exp);
        let updates_until = claims.as_ref().and_then(|claims| claims.updates_until);
        let features = claims.filter(|_| allowed).map_or_else(Vec::new, |claims| claims.features);
        let status = Status { allowed, source, until, features, updates_until, ask_online: clock_is_set_back || has_key, ..Status::default() };
        self.with_code(status, code, "request_refused")
    }

    /// Frees the seat of this device, and forgets the key. The fingerprint stays.
    pub fn deactivate(&mut self) -> io::Result<Status> {
        let state = self.load();
        let key = match text(&state, "license_key") {
            Some(key) => key,
            None => {
                self.forget(&["pending_key"]);
                return Ok(self.with_code(Status::default(), "no_license", "request_refused"));
            }
        };
        Ok(match self.ask("deactivate", key) {
            Reply::Answer(answer) => {
                self.forget(&["license_key", "pending_key", "lease", "refused"]);
                let status = Status { source: Source::Service, ..Status::default() };
                self.with_code(status, &answer.code, "request_refused")
            }
            Reply::Refusal(code) => self.refused_offline(&code),
            Reply::None => self.refused_offline("unreachable"),
        })
    }

    /// What the user of a device without network takes to the page /activate. The same until a lease was imported.
    pub fn make_request_code(&mut self) -> io::Result<String> {
        let fingerprint = self.fingerprint().ok_or_else(|| io::Error::new(io::ErrorKind::Other, "The license cannot be stored on this device."))?;
        let state = self.update(|state| {
            let nonce = text(state, "nonce").map_or_else(random_text, String::from);
            state.insert("nonce".into(), json!(nonce));
        });
        let request = without_nulls(json!({
            "p": self.options.product_id, "d": fingerprint, "l": self.options.device_label, "n": state["nonce"],
        }));
        Ok(format!("LAR1.{}", to_base64url(request.to_string().as_bytes())))
    }

    /// Takes the text of the file `license.lease` that the page /activate gave.
    pub fn import_lease(&mut self, lease: &str) -> Status {
        let state = self.load();
        let imported = self.verify(&state, Some(lease.trim()), text(&state, "nonce"), Some((self.options.clock)()));
        match (imported.verdict, imported.claims) {
            // A device without network cannot ask whose clock is wrong.
            ("valid" | "clock", Some(claims)) => {
                // An answer to this very request code heals a clock that once ran ahead; an old file must not.
                let floor = if state.contains_key("nonce") { None } else { latest_seen(&state) };
                self.update(|state| {
                    state.insert("latest_seen".into(), json!(claims.iat.max(floor.unwrap_or(0))));
                    state.insert("lease".into(), json!(lease.trim()));
                    state.remove("nonce");
                    state.remove("refused");
                });
                self.check_offline()
            }
            ("expired", _) => self.refused_offline("lease_expired"),
            ("test", _) => self.refused_offline("test_key_refused"),
            _ => self.refused_offline("lease_refused"),
        }
    }

    fn decide(&mut self, key: &str, answer: Answer) -> io::Result<Status> {
        let is_for_tests = answer.body.get("test") == Some(&json!(true)) && !self.options.allow_test_keys;
        if answer.valid && !is_for_tests {
            let counts = !self.options.require_lease || answer.lease.is_some();
            return Ok(if counts { self.granted(key, answer) } else { self.unanswered(key) });
        }
        if answer.valid && answer.body.get("device_activated") == Some(&json!(true)) {
            // A build that takes test keys has left its seat.
            self.ask("deactivate", key);
        }
        let code = if answer.valid { "test_key_refused" } else { &answer.code };
        self.update(|state| {
            if text(state, "license_key") == Some(key) {
                state.remove("lease");
                state.insert("refused".into(), json!(code));
            }
        });
        self.denied(key, code, &answer.body)
    }

    fn granted(&mut self, key: &str, answer: Answer) -> Status {
        let mut kept = None;
        self.update(|state| {
            state.insert("license_key".into(), json!(key));
            state.remove("refused");
            kept = self.verify(state, text(state, "lease"), None, None).claims;
            kept = kept.take().filter(|claims| Some(claims.sub.as_str()) == text(&answer.body, "license_id"));
            if kept.is_none() {
                state.remove("lease");
            }
            if let Some(claims) = &answer.lease {
                // The signed time, not the later of both: it heals a clock that once ran ahead.
                state.insert("latest_seen".into(), json!(claims.iat));
                if kept.as_ref().map_or(true, |old| old.exp <= claims.exp) {
                    state.insert("lease".into(), answer.body["lease"].clone());
                    kept = Some(claims.clone());
                }
            }
        });
        if text(&self.load(), "license_key") != Some(key) {
            // The next start would take another seat.
            self.ask("deactivate", key);
            return self.refused_offline("not_stored");
        }
        let until = kept.as_ref().map(|claims| claims.exp);
        let features = answer.body.get("features").and_then(texts).or_else(|| kept.map(|claims| claims.features)).unwrap_or_default();
        let status = Status { allowed: true, source: Source::Service, until, features, ..terms_of(&answer.body) };
        self.with_code(status, &answer.code, "valid")
    }

    fn unanswered(&mut self, key: &str) -> Status {
        self.update(|state| {
            if text(state, "license_key") != Some(key) {
                state.insert("pending_key".into(), json!(key));
            }
        });
        self.check_offline()
    }

    /// A no for this key. The license that the device has under another one goes on.
    fn denied(&mut self, key: &str, code: &str, body: &Object) -> io::Result<Status> {
        let kept = text(&self.load(), "license_key").map(String::from);
        if kept.as_deref() != Some(key) {
            let mut status = self.check_offline();
            // Where its terms give no lease, only the service knows.
            if !status.allowed && kept.is_some() {
                status = self.check()?;
            }
            if status.allowed {
                return Ok(self.with_code(status, code, "request_refused"));
            }
        }
        let status = Status { source: Source::Service, ..terms_of(body) };
        Ok(self.with_code(status, code, "request_refused"))
    }

    fn refused_offline(&mut self, code: &str) -> Status {
        let status = self.check_offline();
        self.with_code(status, code, "request_refused")
    }

    /// An unknown code may come one day: then another one's sentence is said.
    fn with_code(&self, status: Status, code: &str, other: &str) -> Status {
        let find = |name: &str| MESSAGES.iter().find(|(known, _)| *known == name).map(|(_, message)| *message);
        let message = find(code).or_else(|| find(other)).unwrap_or_default();
        let message = message.replace("{date}", &date_of(status.until.unwrap_or(0)));
        Status { code: code.into(), message: message.replace("{manage}", &format!("{}/manage", self.issuer)), ..status }
    }

    fn forget(&mut self, names: &[&str]) {
        self.update(|state| state.retain(|name, _| !names.contains(&name.as_str())));
    }

    /// Asks first what the key is: one for tests, which the app does not take, gets no seat.
    fn ask_for_seat(&mut self, key: &str) -> Reply {
        if !self.options.allow_test_keys {
            match self.ask("validate", key) {
                Reply::Answer(answer) if answer.valid && answer.body.get("test") != Some(&json!(true)) => (),
                reply => return reply,
            }
        }
        self.ask("activate", key)
    }

    fn ask(&mut self, call: &str, key: &str) -> Reply {
        let fingerprint = match self.fingerprint() {
            Some(fingerprint) => fingerprint,
            None => return Reply::None,
        };
        let nonce = Some(random_text()).filter(|_| call != "deactivate");
        let request = without_nulls(json!({
            "product_id": self.options.product_id,
            "license_key": key,
            "device_fingerprint": fingerprint,
            "nonce": nonce,
            "device_label": self.options.device_label,
            "app_version": self.options.app_version,
        }));
        let url = format!("{}/v1/licenses/{}", self.issuer, call);
        let mut reply = send(&url, &request.to_string());
        if let Reply::Answer(answer) = &mut reply {
            // A lease that is not signed, for this device and for this very request, is as good as none.
            answer.lease = self.verify(&self.load(), text(&answer.body, "lease"), nonce.as_deref(), None).claims;
        }
        reply
    }

    fn verify(&self, state: &Object, lease: Option<&str>, nonce: Option<&str>, now: Option<i64>) -> Verification {
        let expected = Expected {
            keys: &self.options.keys,
            issuer: &self.issuer,
            product_id: &self.options.product_id,
            fingerprint: text(state, "fingerprint").unwrap_or_default(),
            nonce,
            allow_test_keys: self.options.allow_test_keys,
            now,
        };
        verify_lease(lease.unwrap_or_default(), &expected)
    }

    /// Whether the device would know its seat again. The key is stored before it is asked for, in case the app is killed meanwhile.
    fn can_keep(&mut self, key: &str) -> bool {
        if self.fingerprint().is_none() {
            return false;
        }
        let mut can_keep = true;
        self.storage.exclusively(&mut || {
            let mut state = self.load();
            if text(&state, "license_key") != Some(key) {
                state.insert("pending_key".into(), json!(key));
                can_keep = self.storage.save(&Value::Object(state).to_string()).is_ok();
            }
        });
        can_keep
    }

    /// Made once at random, never from hardware. None where it cannot be kept: it would take another seat at each start.
    fn fingerprint(&mut self) -> Option<String> {
        let stored = text(&self.load(), "fingerprint").map(String::from);
        // One that an older client kept in its state is offered, so that the device stays the same.
        let claimed = self.storage.claim_fingerprint(&stored.clone().unwrap_or_else(random_text)).unwrap_or(None);
        if let Some(stored) = stored.filter(|stored| claimed.as_ref().map_or(true, |claimed| claimed == stored)) {
            return Some(stored);
        }
        self.update(|state| {
            let kept = claimed.clone().or_else(|| text(state, "fingerprint").map(String::from));
            state.insert("fingerprint".into(), json!(kept.unwrap_or_else(random_text)));
        });
        claimed.or_else(|| text(&self.load(), "fingerprint").map(String::from))
    }

    /// What is missing, unreadable or broken counts as never stored.
    fn load(&self) -> Object {
        self.storage.load().ok().and_then(|text| parse_object(text.as_bytes())).unwrap_or_default()
    }

    /// One change after the other, also where several processes run. A full disk must not stop an app that is paid for, so that a
    /// failed save is no error. Returns what the state is then.
    fn update(&self, mut change: impl FnMut(&mut Object)) -> Object {
        let mut state = Object::new();
        self.storage.exclusively(&mut || {
            let before = self.load();
            state = before.clone();
            change(&mut state);
            if state != before {
                let _ = self.storage.save(&Value::Object(state.clone()).to_string());
            }
        });
        state
    }
}

/// Checks about once a day, when the device woke up, and each hour while the service does not answer. It does so in a thread of
/// its own, which holds the client while it checks, and shows each status. It goes on until what it returns is dropped.
#[must_use]
pub fn watch(client: Arc<Mutex<LicenseClient>>, mut show: impl FnMut(Status) + Send + 'static) -> Sender<()> {
    let (stop, stopped) = channel();
    thread::spawn(move || {
        let lock = || client.lock().unwrap_or_else(PoisonError::into_inner);
        let look_every = lock().options.look_every;
        let mut seen = (lock().options.clock)();
        let mut due = seen + around(DAY);
        while stopped.recv_timeout(look_every) == Err(RecvTimeoutError::Timeout) {
            let now = (lock().options.clock)();
            let has_jumped = (now - seen).abs() > TOLERANCE;
            seen = now;
            if now < due && !has_jumped {
                continue;
            }
            let status = lock().check();
            let is_answered = status.as_ref().map_or(false, |status| !status.ask_online);
            due = now + around(if is_answered { DAY } else { HOUR });
            if let (Ok(status), Err(TryRecvError::Empty)) = (status, stopped.try_recv()) {
                show(status);
            }
        }
    });
    stop
}

/// So that those who were started together do not ask together.
fn around(seconds: i64) -> i64 {
    seconds * (192 + i64::from(random::<1>()[0]) / 2) / 256
}

/// The day in UTC, as ISO 8601 writes it: days are counted from 1 March of the year 0, in eras of 400 years.
fn date_of(seconds: i64) -> String {
    let days = seconds.div_euclid(DAY) + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let months = (5 * day_of_year + 2) / 153;
    let month = if months < 10 { months + 3 } else { months - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{:04}-{:02}-{:02}", year, month, day_of_year - (153 * months + 2) / 5 + 1)
}

/// What the service says of the license besides whether it may be used.
fn terms_of(body: &Object) -> Status {
    let integer = |name: &str| body.get(name).and_then(Value::as_i64);
    let expires_at = text(body, "expires_at").map(String::from);
    let updates_until = text(body, "updates_until").and_then(seconds_of);
    Status { seats: integer("activation_count"), limit: integer("activation_limit"), expires_at, updates_until, ..Status::default() }
}

/// Of a time as the service writes it: 2027-01-31T09:00:00.000Z.
fn seconds_of(time: &str) -> Option<i64> {
    let number = |from: usize, to: usize| time.get(from..to)?.parse::<i64>().ok();
    let (month, day) = (number(5, 7)?, number(8, 10)?);
    // January and February count to the year before, so that a leap day is the last of its year.
    let year = number(0, 4)? - i64::from(month <= 2);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * year + year / 4 - year / 100 + year / 400 + day_of_year - 719_468;
    Some(days * DAY + number(11, 13)? * HOUR + number(14, 16)? * 60 + number(17, 19)?)
}

fn latest_seen(state: &Object) -> Option<i64> {
    state.get("latest_seen")?.as_i64()
}

/// A refusal is about the request, not about the license. None is whatever did not come from the service.
enum Reply {
    Answer(Answer),
    Refusal(String),
    None,
}

struct Answer {
    valid: bool,
    code: String,
    body: Object,
    /// What the lease in it says, where that verified.
    lease: Option<Claims>,
}

/// Tries a few times. None unless the service itself replied.
fn send(url: &str, body: &str) -> Reply {
    for attempt in 0..ATTEMPTS {
        let mut retry_after = None;
        match send_once(url, body, &mut retry_after) {
            Ok(Reply::None) | Err(_) => (),
            Ok(reply) => return reply,
        }
        let seconds = retry_after.unwrap_or_else(|| (0.5 + f64::from(random::<1>()[0]) / 512.0) * f64::from(1 << attempt));
        if seconds > LONGEST_RETRY_AFTER {
            break;
        }
        if attempt + 1 < ATTEMPTS {
            thread::sleep(Duration::from_secs_f64(seconds));
        }
    }
    Reply::None
}

fn send_once(url: &str, body: &str, retry_after: &mut Option<f64>) -> Result<Reply, curl::Error> {
    let mut headers = List::new();
    headers.append("content-type: application/json")?;
    let mut easy = Easy::new();
    easy.url(url)?;
    easy.http_headers(headers)?;
    easy.post_fields_copy(body.as_bytes())?;
    easy.follow_location(false)?;
    easy.timeout(TIMEOUT)?;
    let mut reply = Vec::new();
    let mut transfer = easy.transfer();
    transfer.header_function(|line| {
        let line = String::from_utf8_lossy(line).to_ascii_lowercase();
        let value = line.strip_prefix("retry-after:").map(str::trim);
        if let Some(seconds) = value.filter(|value| value.bytes().all(|symbol| symbol.is_ascii_digit())) {
            *retry_after = seconds.parse().ok();
        }
        true
    })?;
    transfer.write_function(|bytes| {
        // Taking less than was offered ends the transfer: it is longer than a reply of the service can be.
        if reply.len() + bytes.len() > LONGEST_REPLY {
            return Ok(0);
        }
        reply.extend_from_slice(bytes);
        Ok(bytes.len())
    })?;
    transfer.perform()?;
    drop(transfer);
    Ok(parse_reply(easy.response_code()?, &reply).unwrap_or(Reply::None))
}

fn parse_reply(status: u32, body: &[u8]) -> Option<Reply> {
    let body = parse_object(body)?;
    let code = text(&body, "code")?.to_string();
    match status {
        200 => Some(Reply::Answer(Answer { valid: body.get("valid")?.as_bool()?, code, body, lease: None })),
        400 | 403 | 409 => Some(Reply::Refusal(code)),
        _ => None,
    }
}

pub struct Expected<'a> {
    pub keys: &'a [LeaseKey],
    pub issuer: &'a str,
    pub product_id: &'a str,
    pub fingerprint: &'a str,
    /// The nonce that was sent, if one was.
    pub nonce: Option<&'a str>,
    /// Whether a lease of a test key is one, too.
    pub allow_test_keys: bool,
    /// Seconds since 1970. Without it a lease is valid at any time.
    pub now: Option<i64>,
}

#[derive(Clone, Debug)]
pub struct Claims {
    /// The license's id.
    pub sub: String,
    /// Seconds since 1970: when the lease was signed, and when it ends.
    pub iat: i64,
    pub exp: i64,
    pub features: Vec<String>,
    /// Seconds since 1970; None: without end.
    pub updates_until: Option<i64>,
    /// `offline`: it came as a file.
    pub kind: String,
}

#[derive(Clone, Debug)]
pub struct Verification {
    /// valid, or what is wrong: malformed, alg, typ, header, kid, signature, issuer, product, device, nonce, test, expired, clock.
    pub verdict: &'static str,
    /// There once the lease is known to be for this device.
    pub claims: Option<Claims>,
}

/// Says what is wrong with a lease, the first fault in a fixed order.
pub fn verify_lease(lease: &str, expected: &Expected) -> Verification {
    match read_lease(lease, expected) {
        Err(verdict) => Verification { verdict, claims: None },
        Ok(claims) => {
            let verdict = match expected.now {
                Some(now) if now >= claims.exp => "expired",
                Some(now) if claims.iat > now + TOLERANCE => "clock",
                _ => "valid",
            };
            Verification { verdict, claims: Some(claims) }
        }
    }
}

fn read_lease(lease: &str, expected: &Expected) -> Result<Claims, &'static str> {
    let parts: Vec<&str> = lease.split('.').collect();
    if lease.len() > LONGEST_LEASE || parts.len() != 3 {
        return Err("malformed");
    }
    let parse = |part: &str| from_base64url(part).and_then(|bytes| parse_object(&bytes)).ok_or("malformed");
    let (header, payload) = (parse(parts[0])?, parse(parts[1])?);
    let signature = from_base64url(parts[2]).ok_or("malformed")?;
    ensure(text(&header, "alg") == Some("ES256"), "alg")?;
    ensure(text(&header, "typ") == Some("license-lease+jwt"), "typ")?;
    // Each of these would let the lease name its own key, or demand rules that are not kept here.
    ensure(!["jwk", "jku", "x5u", "x5c", "crit"].iter().any(|name| header.contains_key(*name)), "header")?;
    let key = expected.keys.iter().find(|key| text(&header, "kid") == Some(&key.kid)).ok_or("kid")?;
    let signed = &lease[..parts[0].len() + 1 + parts[1].len()];
    ensure(is_signed_by(key, signed.as_bytes(), &signature), "signature")?;

    let claim = |name: &str| text(&payload, name).ok_or("malformed");
    let seconds = |name: &str| payload.get(name).and_then(Value::as_i64).ok_or("malformed");
    let (iss, sub, dev) = (claim("iss")?, claim("sub")?, claim("dev")?);
    let aud = payload.get("aud").filter(|aud| aud.is_string() || aud.is_array()).ok_or("malformed")?;
    let features = payload.get("features").and_then(texts).ok_or("malformed")?;
    let kind = text(&payload, "kind").unwrap_or_default().into();
    let updates_until = payload.get("updates_until").map(|_| seconds("updates_until")).transpose()?;
    let claims = Claims { sub: sub.into(), iat: seconds("iat")?, exp: seconds("exp")?, features, updates_until, kind };
    ensure(iss == expected.issuer, "issuer")?;
    ensure(aud == expected.product_id, "product")?;
    ensure(dev == device_of(sub, expected.fingerprint), "device")?;
    ensure(expected.nonce.is_none() || text(&payload, "nonce") == expected.nonce, "nonce")?;
    ensure(expected.allow_test_keys || payload.get("test") != Some(&json!(true)), "test")?;
    Ok(claims)
}

fn ensure(holds: bool, fault: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(fault) }
}

fn is_signed_by(key: &LeaseKey, signed: &[u8], signature: &[u8]) -> bool {
    let (x, y) = match (from_base64url(&key.x), from_base64url(&key.y)) {
        (Some(x), Some(y)) => (x, y),
        _ => return false,
    };
    let point = [&[4][..], &x, &y].concat(); // 4: both coordinates follow
    signature::UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, point).verify(signed, signature).is_ok()
}

fn device_of(license_id: &str, fingerprint: &str) -> String {
    to_base64url(digest::digest(&digest::SHA256, format!("{}\0{}", license_id, fingerprint).as_bytes()).as_ref())
}

/// None unless it is UTF-8 JSON of an object in which no name occurs twice.
fn parse_object(bytes: &[u8]) -> Option<Object> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    // The parser takes the last of two equal names: then there are more names in the text than in the value.
    if names_in_text(bytes) != names_in_value(&value) {
        return None;
    }
    match value {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

/// In well-formed JSON each colon outside of strings follows a name.
fn names_in_text(json: &[u8]) -> usize {
    let (mut names, mut in_string, mut escaped) = (0, false, false);
    for symbol in json {
        match symbol {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b':' if !in_string => names += 1,
            _ => (),
        }
    }
    names
}

fn names_in_value(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.len() + members.values().map(names_in_value).sum::<usize>(),
        Value::Array(items) => items.iter().map(names_in_value).sum(),
        _ => 0,
    }
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members.into_iter().filter(|(_, member)| !member.is_null()).collect(),
        other => other,
    }
}

fn text<'a>(members: &'a Object, name: &str) -> Option<&'a str> {
    members.get(name)?.as_str()
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(String::from)).collect()
}

const SYMBOLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn to_base64url(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..=group.len() {
            text.push(char::from(SYMBOLS[bits >> (18 - 6 * place) & 63]));
        }
    }
    text
}

/// None unless it is the one right spelling: no padding, no other alphabet, no bits left over.
fn from_base64url(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for group in text.as_bytes().chunks(4) {
        let mut bits = 0;
        for place in 0..4 {
            let symbol = group.get(place).unwrap_or(&b'A');
            bits = bits << 6 | SYMBOLS.iter().position(|known| known == symbol)?;
        }
        bytes.extend((1..group.len()).map(|byte| (bits >> (24 - 8 * byte)) as u8));
    }
    Some(bytes).filter(|bytes| to_base64url(bytes) == text)
}

fn random<const COUNT: usize>() -> [u8; COUNT] {
    let mut bytes = [0; COUNT];
    SystemRandom::new().fill(&mut bytes).expect("the system has random numbers");
    bytes
}

fn random_text() -> String {
    to_base64url(&random::<16>())
}

/// A file that only its user can read.
pub struct FileStorage(PathBuf);

impl FileStorage {
    pub fn new(path: impl Into<PathBuf>) -> Self {
        FileStorage(path.into())
    }

    fn make_folder(&self) -> io::Result<()> {
        fs::create_dir_all(self.0.parent().unwrap_or_else(|| Path::new(".")))
    }

    /// Another file, whose name says more.
    fn beside(&self, ending: &str) -> PathBuf {
        let mut path = self.0.clone().into_os_string();
        path.push(".");
        path.push(ending);
        path.into()
    }
}

impl Storage for FileStorage {
    fn load(&self) -> io::Result<String> {
        fs::read_to_string(&self.0)
    }

    /// Renaming is atomic: whoever reads sees the old state or the new one, also when two apps write or one is killed.
    fn save(&self, text: &str) -> io::Result<()> {
        self.make_folder()?;
        let temporary = self.beside(&random_text());
        write_new_file(&temporary, text)?;
        fs::rename(&temporary, &self.0).map_err(|error| {
            let _ = fs::remove_file(&temporary);
            error
        })
    }

    /// In a file of its own.
    fn claim_fingerprint(&self, offered: &str) -> io::Result<Option<String>> {
        let path = self.beside("fingerprint");
        let read = || fs::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let is_whole = |text: &io::Result<String>| matches!(text, Ok(text) if !text.is_empty() && !text.contains('\0'));
        let mut kept = read();
        if !is_whole(&kept) {
            self.exclusively(&mut || {
                if !is_whole(&read()) {
                    // What is empty is left of a device that lost its power.
                    let _ = fs::remove_file(&path);
                }
                kept = match write_new_file(&path, offered) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                    _ => read(),
                };
            });
        }
        kept.map(Some)
    }

    /// By a lock file. Nobody needs it for a second: one that lasts is left of an app that was killed. Where no file can be written
    /// there is none.
    fn exclusively(&self, change: &mut dyn FnMut()) {
        let lock = self.beside("lock");
        let is_taken = || matches!(create(&lock), Err(error) if error.kind() == io::ErrorKind::AlreadyExists);
        if self.make_folder().is_ok() {
            for _ in 0..50 {
                if !is_taken() {
                    break;
                }
                thread::sleep(Duration::from_millis(20));
            }
        }
        change();
        let _ = fs::remove_file(&lock);
    }
}

/// For this user alone. Fails when there is one.
fn create(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Leaves no file that is not whole.
fn write_new_file(path: &Path, text: &str) -> io::Result<()> {
    let mut file = create(path)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(|error| {
        let _ = fs::remove_file(path);
        error
    })
}

fn default_path(app_name: &str) -> PathBuf {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = folder("HOME").unwrap_or_default();
    let base = if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else if cfg!(windows) {
        folder("LOCALAPPDATA").unwrap_or(home)
    } else {
        folder("XDG_STATE_HOME").unwrap_or_else(|| home.join(".local/state"))
    };
    base.join(app_name).join("license.json")
}
