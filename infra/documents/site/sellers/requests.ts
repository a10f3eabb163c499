const send = 'curl -s -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json"';

export const application = `${send} https://api.example.com/v1/sellers -d '{
  "display_name": "Alice Software",
  "contact_email": "alice@example.com",
  "support_email": "help@example.com",
  "site_url": "https://alice.example.com"
}'`;

export const submission = `PRODUCT=$(${send} https://api.example.com/v1/products -d '{
  "name": "Photo Studio",
  "description": "Edits photos.",
  "price_amount": 4800,
  "currency": "JPY",
  "support_email": "help@example.com",
  "refund_policy": "Within 14 days.",
  "software_operating_environment": "Windows 11"
}' | jq -r .id)
${send} -X POST https://api.example.com/v1/products/$PRODUCT/submit-review`;
