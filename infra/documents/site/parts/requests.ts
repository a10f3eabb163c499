import { tokenScopes } from '../../../../shared/audit/caller.ts';

/** What a seller sends first; the start page of the local stack shows it too. */
export const exampleApplication = {
  display_name: 'Alice Software',
  contact_email: 'alice@example.com',
  support_email: 'help@example.com',
  site_url: 'https://alice.example.com',
};
export const exampleProduct = {
  name: 'Photo Studio',
  description: 'Edits photos.',
  price_amount: 4800,
  currency: 'JPY',
  support_email: 'help@example.com',
  refund_policy: 'Within 14 days.',
  software_operating_environment: 'Windows 11',
};

const ask = 'curl -fsS -H "Authorization: Bearer $TOKEN"';
const curl = `${ask} -H "Content-Type: application/json"`;
const post = (path: string, body: object) => `${curl} https://api.example.com${path} -d '${JSON.stringify(body, null, 2)}'`;

export const application = post('/v1/sellers', exampleApplication);

export const submission = `PRODUCT=$(${post('/v1/products', exampleProduct)} | jq -r .id)
${curl} -X POST https://api.example.com/v1/products/$PRODUCT/submit-review`;

/** Products that sell more than one license at its price. Their names differ from that of the first one. */
export const offers = `PRODUCT=$(${post('/v1/products', {
  ...exampleProduct,
  name: 'Photo Studio 2',
  updates_days: 365,
  max_quantity: 20,
  addition_prices: { seat: 980, updates: 1980 },
})} | jq -r .id)
${post('/v1/products', {
  ...exampleProduct,
  name: 'Photo Studio Pro',
  price_amount: 9800,
  max_quantity: 20,
  upgrades_from: [{ product_id: '$PRODUCT', price_amount: 5000 }],
}).replace('$PRODUCT', `'$PRODUCT'`)} | jq '{name, upgrades_from}'`;

export const discount = `DISCOUNT=$(${post('/v1/products/$PRODUCT/discounts', { code: 'SPRING-20', percent_off: 20, max_redemptions: 100 })} | jq -r .id)
${ask} https://api.example.com/v1/products/$PRODUCT/discounts | jq '.items[] | {code, redeemed, reserved}'
${ask} "https://api.example.com/v1/orders?discount_id=$DISCOUNT" | jq '.items | length'
${ask} -X POST https://api.example.com/v1/products/$PRODUCT/discounts/$DISCOUNT/end | jq '{code, ended: has("ended_at")}'`;

export const invoiceNumber = `${curl} -X PATCH https://api.example.com/v1/sellers/me -d '{"invoice_registration_number":"T1234567890123"}' | jq '{invoice_registration_number}'`;

export const nextTasks = `${ask} https://api.example.com/v1/overview | jq -r '.tasks[] | select(.state == "todo" or .state == "action") | .id'`;

export const sale = `ORDER=$(${post('/v1/orders/search', { buyer_email: 'buyer@example.com' })} | jq -r '.items[0].id')
${ask} https://api.example.com/v1/orders/$ORDER | jq '{status, completion_mail, seats: .license.activation_count}'
${ask} -X POST https://api.example.com/v1/orders/$ORDER/resend-link`;

/** A token with which a whole shop is run. */
export const shopToken = JSON.stringify({ name: 'Shop', scopes: tokenScopes, expires_in_days: 180 }, null, 2);

export const shopDraft = `PRODUCT=$(${post('/v1/products', { ...exampleProduct, name: 'Photo Studio Go' })} | jq -r .id)
${curl} -X PATCH https://api.example.com/v1/products/$PRODUCT -d '${JSON.stringify({ ...exampleProduct, name: 'Photo Studio Go', price_amount: 3800 }, null, 2)}' | jq -c '{price_amount}'
${ask} -X POST https://api.example.com/v1/products/$PRODUCT/test-keys | jq -c '{expires_at}'
${post('/v1/products/$PRODUCT/discounts', { code: 'LAUNCH', percent_off: 20 })} | jq -c '{code}'
${ask} -X POST https://api.example.com/v1/products/$PRODUCT/submit-review | jq -c '{id, status}'`;

export const shopMonth = `MONTH=$(date -u +%Y-%m)
CURSOR=''
while
  PAGE=$(${ask} "https://api.example.com/v1/orders?limit=100$CURSOR")
  printf '%s' "$PAGE" | jq -r --arg month "$MONTH" '.items[] | select(.created_at | startswith($month)) | [.created_at, .id, .product_id, .status, .amount, .currency] | @csv'
  CURSOR=$(printf '%s' "$PAGE" | jq -r '.next_cursor // empty | "&cursor=" + @uri')
  [ -n "$CURSOR" ]
do :; done`;
