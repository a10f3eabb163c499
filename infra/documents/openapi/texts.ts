import { exampleIds } from './fields/field-texts.ts';

/** The texts of the document besides those of its endpoints. */
export const info = {
  title: 'Software License Sales and Activation Service',
  version: '0.2.0',
  summary: 'Sell software licenses, deliver files, and activate license keys on devices.',
  description: `Sellers offer their own software, admins review it, buyers pay through a hosted checkout, and apps validate and activate license keys.
The guide for app authors is at [/docs](/docs). The license clients at /clients, and the samples of the guide, are under MIT-0: ship them with your app. All else is proprietary.

## Conventions
- Bodies are JSON in UTF-8, at most 256 KiB; the code import alone is multipart/form-data, at most 4 MiB. Names are snake_case, times ISO 8601 in UTC with milliseconds, ids opaque strings of at most 64 characters.
- Optional fields without a value are left out, never \`null\`. Unknown fields of a request are ignored; where sellers and admins send JSON or read, the reply names up to 20 of them, or of the query parameters, in the header \`X-Ignored-Fields\`, errors too. New fields, and new values of \`code\` in errors, may be added to replies within this version: ignore what you do not know.
- Lists take \`limit\` (1 to 100, default 50) and \`cursor\`; a reply with \`next_cursor\` has more. With a filter a page may be short and still have a next one.

## Errors
Every error reply has the Error body. Decide by status and \`code\`; \`message\` is for people. \`request_id\` equals the \`X-Request-Id\` header that every reply carries.
429 and 503 come with \`Retry-After\` in seconds. 500 and 503 may come from any endpoint. The gateway in front answers 413, 429 and 503 of its own without this body.

## Who may call
Buyers and apps need no account. Sellers and admins send a bearer token of the identity provider; on a local stack the headers \`X-User-ID\` and \`X-User-Email\` stand in for it.`,
  contact: { name: 'The operators of the service; name the X-Request-Id of the reply you ask about' },
  license: { name: 'Proprietary draft', identifier: 'LicenseRef-Proprietary' },
};

/** In the order in which they are shown. */
export const tags: readonly { name: string; description: string }[] = [
  { name: 'Licenses', description: 'What apps call at run time.' },
  { name: 'Updates', description: 'What the updaters of apps ask, by the proof of a lease or a ticket.' },
  { name: 'Storefront', description: 'Public product pages and the checkout.' },
  { name: 'Purchases', description: 'What a buyer gets for a completion token.' },
  { name: 'Sellers', description: 'Applying to sell, and the account at the payment provider.' },
  { name: 'Products', description: 'Drafts, their review, and their terms.' },
  { name: 'Product files', description: 'Private files that buyers download.' },
  { name: 'Releases', description: 'Versions of an app, from draft through review to its updaters.' },
  { name: 'Code batches', description: 'Codes of one’s own instead of generated license keys.' },
  { name: 'Test keys', description: 'Licenses with which an app is tried before it is sold.' },
  { name: 'Discounts', description: 'Codes with which buyers pay less.' },
  { name: 'API tokens', description: 'With what a seller’s programs call.' },
  { name: 'Orders', description: 'A seller’s sales.' },
  { name: 'Webhook endpoints', description: 'Where a seller’s own systems hear what happens.' },
  { name: 'Admin', description: 'Reviews, licenses and the audit log; for admins on the allowlist.' },
  { name: 'Webhooks', description: 'What the payment provider calls.' },
  { name: 'Health', description: 'For monitors.' },
  { name: 'Documentation', description: 'This description, the guide, and clients for apps.' },
];

export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token of the identity provider.' },
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'lst_…',
    description: 'An API token of a seller, with the scope named; of several that are named, each is enough.',
  },
  localUser: { type: 'apiKey', in: 'header', name: 'X-User-ID', description: 'On a local stack only: stands in for a verified token.' },
  paymentSignature: { type: 'apiKey', in: 'header', name: 'Payment-Signature', description: 'The provider’s signature over the raw body.' },
};

export const headers = {
  'X-Request-Id': { description: 'Names this request; the same as `request_id` of an error.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', const: 'Bearer' } },
  Location: { description: 'Where to go on; short-lived, do not keep or log it.', schema: { type: 'string' } },
  ETag: { description: 'Send it as If-None-Match to ask whether anything changed.', schema: { type: 'string' } },
  'X-Update-Code': { description: 'Why there is an update or none; the same as `code` of a check.', schema: { type: 'string' } },
  'X-Ignored-Fields': {
    description: 'What of the request nobody knows, by name: fields, or query parameters.',
    schema: { type: 'string' },
  },
  'Cache-Control': { description: 'Who may keep the reply, and how long.', schema: { type: 'string' } },
};

const paymentSignature = {
  name: 'Payment-Signature',
  required: true,
  description: '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. The provider’s own name for it, Stripe-Signature, is read as well.',
  schema: { type: 'string', examples: ['t=1769850000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd'] },
};

const licenseLease = {
  name: 'X-License-Lease',
  required: false,
  description: 'A lease of either kind, where `proof` in the address is `-`.',
  schema: {
    type: 'string',
    maxLength: 10_240,
    examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImxpY2Vuc2UtbGVhc2Urand0Iiwia2lkIjoia2V5In0.eyJqdGkiOiIxIn0.c2ln'],
  },
};

/** Operations whose replies say why there is an update or none; of the last one those that are a feed. */
export const updateFeeds: ReadonlySet<string> = new Set([
  'checkUpdate',
  'getAppcast',
  'getElectronFeed',
  'getTauriUpdate',
  'getVelopackFile',
]);

/** Headers that an operation reads, by its id. */
export const headerParameters: Readonly<Record<string, readonly object[]>> = {
  ...Object.fromEntries([...updateFeeds, 'getUpdateFile'].map((operationId) => [operationId, [licenseLease]])),
  receivePlatformEvent: [paymentSignature],
  receiveConnectEvent: [paymentSignature],
  createCheckout: [
    {
      name: 'Idempotency-Key',
      required: false,
      description: '16 to 255 visible ASCII characters: the same request with the same key within 24 hours gives the same order.',
      schema: { type: 'string', minLength: 16, maxLength: 255, pattern: '^[!-~]+$', examples: ['3f1c6a52-9d0b-4b5e-8f57-0b9f5d7a6c21'] },
    },
  ],
};

/** Request bodies that the specification names by what they are for, where the code shares one schema. */
export const requestNames: Readonly<Record<string, string>> = {
  completePurchase: 'PurchaseCompletionRequest',
  createFileDownloadIntent: 'FileDownloadIntentRequest',
};

const unreviewed = { reviewed_by: undefined, reviewed_at: undefined };
const unscanned = {
  hash_status: 'unverified',
  scan_status: 'not_scanned',
  scan_trust_source: 'none',
  scan_trusted_clean: false,
  verified_size_bytes: undefined,
  verified_content_type: undefined,
  verified_sha256_hex: undefined,
  scan_engine: undefined,
  scan_result_summary: undefined,
  verified_at: undefined,
  scanned_at: undefined,
  approved_at: undefined,
};

/** Where the example of a reply would show another operation's outcome. */
export const replyExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  activateLicense: { code: 'activated' },
  deactivateLicense: { code: 'deactivated', activation_count: 0, device_activated: false },
  createSeller: {
    internal_review_status: 'pending_review',
    payment_onboarding_status: 'not_started',
    payment_connected_account_id: undefined,
    payment_charges_enabled: undefined,
    payment_payouts_enabled: undefined,
    review_due_at: '2026-02-03T09:00:00.000Z',
    revision: 1,
  },
  createProduct: { status: 'draft', review_status: 'draft', submitted_at: undefined, revision: 1, ...unreviewed },
  updateProduct: {
    pending: { status: 'draft', changes: { price_amount: 1480 }, updated_at: '2026-01-31T09:15:00.000Z' },
    updated_at: '2026-01-31T09:15:00.000Z',
  },
  publishProduct: { status: 'draft', review_status: 'draft' },
  submitProduct: { status: 'pending_review', review_status: 'pending_review', review_due_at: '2026-02-03T09:00:00.000Z', ...unreviewed },
  finalizeProductFile: { status: 'pending_review', visibility: 'private', review_due_at: '2026-02-03T09:00:00.000Z', ...unscanned },
  rescanProductFile: { status: 'pending_review', visibility: 'private', ...unscanned },
  withdrawProductFile: { status: 'disabled', visibility: 'private' },
  importCodes: { status: 'accepted', imported_count: 0, duplicate_count: 0, completed_at: undefined },
  getOrder: { payment_facts: { disputes: [] } },
  revokeLicense: {
    license: {
      status: 'revoked',
      revoked_at: '2026-01-31T09:15:00.000Z',
      revoked_by: 'user-1',
      revoked_reason: 'Refunded outside the payment provider.',
    },
  },
  suspendLicense: { status: 'suspended' },
  getOverview: {
    tasks: [
      { id: 'apply', state: 'done' },
      { id: 'payments', state: 'done' },
      { id: 'product', state: 'done', target_id: exampleIds.product },
      { id: 'delivery', state: 'action', target_id: exampleIds.product },
      { id: 'review', state: 'waiting', target_id: exampleIds.product },
      { id: 'sale', state: 'blocked' },
    ],
    attention: [{ kind: 'file_rejected', target_id: exampleIds.file, since: '2026-01-31T09:00:00.000Z' }],
  },
  createApiToken: { last_used_at: undefined, revoked_at: undefined },
  receivePlatformEvent: { processed: false },
  receiveConnectEvent: { processed: false },
};

/** The body of an endpoint that takes whatever object the payment provider sends. */
export const providerEvent = {
  type: 'object',
  additionalProperties: true,
  description: 'An event as the payment provider sends it.',
  examples: [{ id: 'evt_1PxYzAbCdEfGhIjK', object: 'event', type: 'checkout.session.completed', livemode: false, data: { object: {} } }],
};
