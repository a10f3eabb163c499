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

const ask = 'curl -s -H "Authorization: Bearer $TOKEN"';
const curl = `${ask} -H "Content-Type: application/json"`;
const post = (path: string, body: object) => `${curl} https://api.example.com${path} -d '${JSON.stringify(body, null, 2)}'`;

export const application = post('/v1/sellers', exampleApplication);

export const submission = `PRODUCT=$(${post('/v1/products', exampleProduct)} | jq -r .id)
${curl} -X POST https://api.example.com/v1/products/$PRODUCT/submit-review`;

export const nextTasks = `${ask} https://api.example.com/v1/overview | jq -r '.tasks[] | select(.state == "todo" or .state == "action") | .id'`;

export const sale = `ORDER=$(${post('/v1/orders/search', { buyer_email: 'buyer@example.com' })} | jq -r '.items[0].id')
${ask} https://api.example.com/v1/orders/$ORDER | jq '{status, completion_mail, seats: .license.activation_count}'
${ask} -X POST https://api.example.com/v1/orders/$ORDER/resend-link`;
