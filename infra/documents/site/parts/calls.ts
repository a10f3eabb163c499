/** A call of an app, and its reply. */
export const request = `curl https://api.example.com/v1/licenses/activate \\
  -H 'content-type: application/json' \\
  -d '{
    "product_id": "prd_01KG9T3W6P9RA5Y8S4C7E1G2JK",
    "license_key": "LIC1-3AHRZ-6DMV2-9GQY5-CKT18-FPX1N",
    "device_fingerprint": "5f0c2f4e-8a53-4b0e-9a3d-2f6f1f0d7c11",
    "device_label": "Studio Mac",
    "nonce": "uWkKJ0O5sVnb1QmQ4T3d0g"
  }'`;

export const reply = `{
  "valid": true,
  "code": "activated",
  "checked_at": "2026-01-31T09:00:00.000Z",
  "license_id": "lic_01KG9T6Z9S2VD81BW7F0H4K5NP",
  "status": "active",
  "activation_limit": 3,
  "activation_count": 1,
  "features": ["export", "batch"],
  "issued_at": "2026-01-30T18:12:45.310Z",
  "device_activated": true,
  "lease": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImxpY2Vuc2UtbGVhc2Urand0Iiwia2lkIjoi…"
}`;

/** How a seller makes a key for tests. */
export const mint = `curl -X POST https://api.example.com/v1/products/prd_01KG9T3W6P9RA5Y8S4C7E1G2JK/test-keys \\
  -H "authorization: Bearer $TOKEN"`;

export const minted = `{
  "license_id": "lic_01KG9T6Z9S2VD81BW7F0H4K5NP",
  "license_key": "LIC1-3AHRZ-6DMV2-9GQY5-CKT18-FPX1N",
  "expires_at": "2026-05-01T09:00:00.000Z"
}`;
