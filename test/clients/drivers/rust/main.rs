//! The Rust client on the command line.

#[allow(dead_code)]
mod license_client;

use license_client::{verify_lease, Expected, FileStorage, LeaseKey, LicenseClient, Options, Source, Status, MESSAGES};
use serde_json::{json, Value};
use std::error::Error;
use std::time::{SystemTime, UNIX_EPOCH};
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
        "deactivate" => shown(client()?.deactivate()?),
        "request-code" => json!({ "request_code": client()?.make_request_code()? }),
        "import-lease" => shown(client()?.import_lease(&fs::read_to_string(argument)?)),
        other => return Err(other.into()),
    })
}

fn client() -> Result<LicenseClient, Box<dyn Error>> {
    let keys = keys(&serde_json::from_str(&env::var("LICENSE_KEYS")?)?);
    let offset: i64 = env::var("LICENSE_CLOCK_OFFSET").unwrap_or_else(|_| "0".into()).parse()?;
    let mut options = Options::new(&env::var("LICENSE_BASE_URL")?, &env::var("LICENSE_PRODUCT_ID")?, keys);
    options.storage = Some(Box::new(FileStorage::new(env::var("LICENSE_STATE")?)));
    options.device_label = env::var("LICENSE_DEVICE_LABEL").ok();
    options.require_lease = env::var("LICENSE_REQUIRE_LEASE").map_or(false, |value| value == "1");
    options.clock = Box::new(move || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64 + offset);
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
    if let Some(until) = status.until {
        shown["until"] = json!(until);
    }
    shown
}
