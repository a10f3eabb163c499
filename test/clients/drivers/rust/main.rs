//! The Rust client on the command line.

#[allow(dead_code)]
mod license_client;

use license_client::{verify_lease, watch, Expected, FileStorage, LeaseKey, LicenseClient, Options, Source, Status, MESSAGES};
use serde_json::{json, Value};
use std::error::Error;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let argument = arguments.get(2).map_or("", String::as_str);
    println!("{}", run(&arguments[1], argument)?);
    Ok(())
}

fn run(command: &str, argument: &str) -> Result<Value, Box<dyn Error>> {
    Ok(match command {
        "vectors" => judge_vectors(&serde_json::from_str(&fs::read_to_string(argument)?)?),
        "messages" => MESSAGES.iter().map(|(code, message)| (code.to_string(), json!(message))).collect(),
        "activate" => shown(client()?.activate(argument)?),
        "check" => shown(client()?.check()?),
        "check-offline" => shown(client()?.check_offline()),
        "watch" => watch_twice(client()?)?,
        "deactivate" => shown(client()?.deactivate()?),
        "request-code" => json!({ "request_code": client()?.make_request_code()? }),
        "import-lease" => shown(client()?.import_lease(&fs::read_to_string(argument)?)),
        other => return Err(other.into()),
    })
}

/// The first two statuses.
fn watch_twice(client: LicenseClient) -> Result<Value, Box<dyn Error>> {
    let (show, seen) = channel();
    let _watching = watch(Arc::new(Mutex::new(client)), move |status| show.send(shown(status)).unwrap_or_default());
    Ok(json!([seen.recv()?, seen.recv()?]))
}

fn client() -> Result<LicenseClient, Box<dyn Error>> {
    let keys = keys(&serde_json::from_str(&env::var("LICENSE_KEYS")?)?);
    let offset = AtomicI64::new(env::var("LICENSE_CLOCK_OFFSET").unwrap_or_else(|_| "0".into()).parse()?);
    let step: i64 = env::var("LICENSE_CLOCK_STEP").unwrap_or_else(|_| "0".into()).parse()?;
    let mut options = Options::new(&env::var("LICENSE_BASE_URL")?, &env::var("LICENSE_PRODUCT_ID")?, keys);
    options.storage = Some(Box::new(FileStorage::new(env::var("LICENSE_STATE")?)));
    options.device_label = env::var("LICENSE_DEVICE_LABEL").ok();
    options.require_lease = env::var("LICENSE_REQUIRE_LEASE").map_or(false, |value| value == "1");
    options.allow_test_keys = env::var("LICENSE_ALLOW_TEST_KEYS").map_or(false, |value| value == "1");
    options.look_every = Duration::from_millis(10);
    options.clock = Box::new(move || {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64;
        now + offset.fetch_add(step, Ordering::Relaxed) + step
    });
    Ok(LicenseClient::new(options))
}

fn judge_vectors(given: &Value) -> Value {
    let judge = |vector: &Value| {
        let expected = Expected {
            keys: &keys(&given["keys"]),
            issuer: text(&given["issuer"]),
            product_id: text(&given["product_id"]),
            fingerprint: text(&given["device_fingerprint"]),
            nonce: vector["nonce"].as_str(),
            allow_test_keys: vector["allow_test_keys"] == true,
            now: given["now"].as_i64(),
        };
        json!({ "name": vector["name"], "verdict": verify_lease(text(&vector["lease"]), &expected).verdict })
    };
    given["vectors"].as_array().unwrap().iter().map(judge).collect()
}

fn keys(jwks: &Value) -> Vec<LeaseKey> {
    let key = |jwk: &Value| LeaseKey { kid: text(&jwk["kid"]).into(), x: text(&jwk["x"]).into(), y: text(&jwk["y"]).into() };
    jwks.as_array().unwrap().iter().map(key).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn shown(status: Status) -> Value {
    let source = match status.source {
        Source::Service => "service",
        Source::Lease => "lease",
        Source::None => "none",
    };
    let mut shown = json!({
        "allowed": status.allowed, "code": status.code, "source": source, "message": status.message,
        "features": status.features, "ask_online": status.ask_online,
    });
    let more = [("until", json!(status.until)), ("seats", json!(status.seats)), ("limit", json!(status.limit)), ("expires_at", json!(status.expires_at))];
    for (name, value) in more {
        if !value.is_null() {
            shown[name] = value;
        }
    }
    if let Some(end) = status.updates_until {
        shown["updates_until"] = json!(end);
        shown["covered"] = json!([status.covers(end), status.covers(end + 1)]);
    }
    shown
}
