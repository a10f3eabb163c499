#[allow(dead_code)]
mod license_client;

use license_client::{LeaseKey, LicenseClient, Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let jwks: serde_json::Value = serde_json::from_str(include_str!("../jwks.json"))?;
    let key = |jwk: &serde_json::Value| {
        let member = |name: &str| jwk[name].as_str().unwrap_or_default().to_string();
        LeaseKey { kid: member("kid"), x: member("x"), y: member("y") }
    };
    let keys = jwks["keys"].as_array().into_iter().flatten().map(key).collect();
    let mut options = Options::new("https://api.example.com", "prd_01KG9T3W6P9RA5Y8S4C7E1G2JK", keys);
    options.app_name = "Photo Studio".into();
    let hostname = std::process::Command::new("hostname").output().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    options.device_label = hostname.ok().filter(|name| !name.is_empty());
    // options.allow_test_keys = true; // in your own builds alone
    let mut client = LicenseClient::new(options);
    let status = match std::env::args().nth(1) {
        Some(key) => client.activate(&key)?,
        None => client.check()?,
    };
    println!("{}", status.message);
    std::process::exit(if status.allowed { 0 } else { 1 })
}
