import type { Mutant } from '../../mutant.ts';

const java = { file: 'infra/documents/clients/LicenseClient.java', tests: ['test/clients/java.test.ts'] };
const rust = { file: 'infra/documents/clients/license_client.rs', tests: ['test/clients/rust.test.ts'] };

export const javaAndRustClients: readonly Mutant[] = [
  {
    ...java,
    fault: 'in Java the last of two equal claims counts',
    code: 'if (members.containsKey(name)) throw malformed();',
    mutant: '',
  },
  {
    ...java,
    fault: 'in Java a lease may demand rules that are not kept',
    code: '"x5u", "x5c", "crit"',
    mutant: '"x5u", "x5c"',
  },
  {
    ...java,
    fault: 'in Java a lease may be spelled in several ways',
    code: 'return toBase64url(bytes).equals(text) ? bytes : null;',
    mutant: 'return bytes;',
  },
  {
    ...java,
    fault: 'in Java nesting without end ends the app',
    code: 'if (depth > DEEPEST) throw malformed();',
    mutant: '',
  },
  {
    ...java,
    fault: 'in Java a lease lasts a second too long',
    code: 'expected.now >= (Long) claims.get("exp")',
    mutant: 'expected.now > (Long) claims.get("exp")',
  },
  {
    ...java,
    fault: 'in Java a lease is judged without its nonce',
    code: 'if (expected.nonce != null && ',
    mutant: 'if (expected.nonce != null && claims.containsKey("nonce") && ',
  },
  {
    ...java,
    fault: 'in Java a clock that ran ahead is never healed',
    code: 'state.put("latest_seen", reply.lease.issuedAt());',
    mutant: 'state.put("latest_seen", Math.max(reply.lease.issuedAt(), state.integer("latest_seen", 0)));',
  },
  {
    ...java,
    fault: 'in Java a lease that ends sooner replaces one that ends later',
    code: 'if (kept == null || kept.expiresAt() <= reply.lease.expiresAt()) {',
    mutant: 'if (true) {',
  },
  {
    ...java,
    fault: 'in Java a mistyped key ends the lease of another',
    code: 'if (key.equals(state.text("license_key"))) save(',
    mutant: 'save(',
  },
  {
    ...java,
    fault: 'in Java a refused deactivation forgets the key',
    code: 'if (!reply.isAnswer) return checkOffline().withCode(reply.isRefusal ? reply.code : "unreachable");',
    mutant: 'if (!reply.isAnswer && !reply.isRefusal) return checkOffline().withCode("unreachable");',
  },
  {
    ...java,
    fault: 'in Java a forged service is believed though the app requires leases',
    code: 'if (options.requireLease && reply.lease == null) return unreachable();',
    mutant: '',
  },
  {
    ...java,
    fault: 'in Java the key follows a redirect to another host',
    code: 'HttpClient.Redirect.NEVER',
    mutant: 'HttpClient.Redirect.ALWAYS',
  },
  {
    ...java,
    fault: 'in Java an endless reply fills the memory',
    code: 'if (size <= LONGEST_REPLY) {',
    mutant: 'if (size >= 0) {',
  },
  {
    ...java,
    fault: 'in Java the pauses between attempts do not grow',
    code: ' * (1 << attempt);',
    mutant: ';',
  },
  {
    ...rust,
    fault: 'in Rust the last of two equal claims counts',
    code: 'if names_in_text(bytes) != names_in_value(&value) {',
    mutant: 'if names_in_text(bytes) < names_in_value(&value) {',
  },
  {
    ...rust,
    fault: 'in Rust a colon within a text passes for a second name',
    code: "b':' if !in_string => names += 1,",
    mutant: "b':' => names += 1,",
  },
  {
    ...rust,
    fault: 'in Rust a lease may name its own key',
    code: '["jwk", "jku", "x5u"',
    mutant: '["jku", "x5u"',
  },
  {
    ...rust,
    fault: 'in Rust a lease may be spelled in several ways',
    code: 'Some(bytes).filter(|bytes| to_base64url(bytes) == text)',
    mutant: 'Some(bytes)',
  },
  {
    ...rust,
    fault: 'in Rust a lease for several products passes',
    code: 'ensure(aud == expected.product_id, "product")?;',
    mutant: 'ensure(aud.to_string().contains(expected.product_id), "product")?;',
  },
  {
    ...rust,
    fault: 'in Rust a lease for another device passes',
    code: 'ensure(dev == device_of(sub, expected.fingerprint), "device")?;',
    mutant: 'ensure(!dev.is_empty(), "device")?;',
  },
  {
    ...rust,
    fault: 'in Rust a clock five minutes behind refuses a lease',
    code: 'Some(now) if claims.iat > now + TOLERANCE =>',
    mutant: 'Some(now) if claims.iat >= now + TOLERANCE =>',
  },
  {
    ...rust,
    fault: 'in Rust a clock that was set back makes a lease last longer',
    code: 'self.verify(&state, text(&state, "lease"), None, Some(time));',
    mutant: 'self.verify(&state, text(&state, "lease"), None, Some(clock));',
  },
  {
    ...rust,
    fault: 'in Rust a lease that ends sooner replaces one that ends later',
    code: 'if kept.as_ref().map_or(true, |old| old.exp <= claims.exp) {',
    mutant: 'if kept.as_ref().map_or(true, |_| true) {',
  },
  {
    ...rust,
    fault: 'in Rust a device whose seat was freed stays without',
    code: 'if answer.valid && answer.body.get("device_activated") == Some(&json!(false)) =>',
    mutant: 'if answer.valid && answer.body.get("device_activated").is_none() =>',
  },
  {
    ...rust,
    fault: 'in Rust a request code is never used up',
    code: 'state.remove("nonce");',
    mutant: '',
  },
  {
    ...rust,
    fault: 'in Rust everyone on the machine can read the key',
    code: '0o600',
    mutant: '0o644',
  },
  {
    ...rust,
    fault: 'in Rust an endless reply fills the memory',
    code: 'if reply.len() + bytes.len() > LONGEST_REPLY {',
    mutant: 'if reply.len() + bytes.len() == 0 {',
  },
  {
    ...rust,
    fault: 'in Rust a long Retry-After holds the app up',
    code: 'if seconds > LONGEST_RETRY_AFTER {',
    mutant: 'if seconds > 60.0 * LONGEST_RETRY_AFTER {',
  },
  {
    ...rust,
    fault: 'in Rust a captive portal passes for a refusal',
    code: '400 | 403 | 409 =>',
    mutant: '400..=599 =>',
  },
];
