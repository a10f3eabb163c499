/**
 * Every error code of the interface: its usual status and when it is sent.
 *
 * The single source for replies and for the documents. An endpoint that sends a
 * code with another status declares it in its `errors` list.
 */
export const errorCodes = {
  invalid_json: { status: 400, when: 'The body is not JSON in UTF-8.' },
  invalid_request: { status: 400, when: 'A field, parameter or header is missing or malformed; the message names each.' },
  unsupported_media_type: { status: 400, when: 'The content type is not the one the endpoint takes.' },
  payload_too_large: { status: 400, when: 'The body is larger than the endpoint takes.' },
  signature_missing: { status: 400, when: 'The webhook carries no signature header.' },
  signature_invalid: { status: 400, when: 'The webhook signature does not match, or its timestamp is more than 300 s off.' },
  seller_required: { status: 400, when: 'The caller has not applied to sell yet.' },
  too_many_endpoints: { status: 400, when: 'The seller already has the most webhook endpoints allowed.' },
  too_many_tokens: { status: 400, when: 'The seller already has the most API tokens that may live.' },
  too_many_test_keys: { status: 400, when: 'The product already has the most test keys that may be alive.' },
  too_many_products: { status: 400, when: 'The seller already has the most products allowed.' },
  too_many_releases: { status: 400, when: 'The product already has the most releases allowed, or the most that were never published.' },
  release_incomplete: {
    status: 400,
    when: 'The release lacks what its artifacts and feeds need; the message names each artifact and field.',
  },
  build_out_of_order: { status: 400, when: 'The builds of a platform must rise with the versions.' },
  too_many_slugs: { status: 400, when: 'The product was renamed too often to reserve another slug.' },
  invalid_state_transition: { status: 400, when: 'The decision is not possible in the present state.' },
  stale_review: { status: 400, when: 'The target changed since the revision that was reviewed.' },
  payment_account_missing: { status: 400, when: 'The seller has no connected payment account yet.' },
  file_too_large: { status: 400, when: 'The declared size is over the upload limit.' },
  too_many_files: { status: 400, when: 'The product already has the most live files allowed.' },
  storage_quota_exceeded: { status: 400, when: 'The files of the seller take all the storage a seller has.' },
  reason_contains_sensitive_data: { status: 400, when: 'The reason looks as if it held a key, token, email address or URL.' },
  price_not_chargeable: { status: 400, when: 'The payment provider refuses this amount or currency.' },
  discount_not_valid: { status: 400, when: 'The discount code does not hold for this product now.' },
  too_many_discounts: { status: 400, when: 'The product already has the most discounts that are not ended.' },
  addition_not_offered: { status: 400, when: 'This addition is not sold for the license.' },
  upgrade_not_offered: { status: 400, when: 'This upgrade is not sold for the license.' },
  idempotency_key_reused: { status: 400, when: 'The idempotency key was used before with other content.' },
  deactivation_not_allowed: { status: 400, when: 'The terms of this license do not allow a seat to be freed.' },
  invalid_csv: { status: 400, when: 'The upload is not the CSV that was asked for.' },
  too_many_rows: { status: 400, when: 'The CSV has more rows than one import takes.' },
  wrong_issuance_mode: { status: 400, when: 'This is not for keys of this kind: generated ones, or imported codes.' },
  unauthenticated: { status: 401, when: 'There is no valid seller credential.' },
  forbidden: { status: 403, when: 'The caller may not do this.' },
  token_scope_insufficient: { status: 403, when: 'The API token does not open this: it lacks the scope, or is not for this product.' },
  self_review_forbidden: { status: 403, when: 'Admins cannot review what is their own.' },
  seller_application_closed: { status: 403, when: 'The seller was approved or suspended, so the application cannot change.' },
  seller_not_eligible: { status: 403, when: 'The seller is suspended or rejected.' },
  publish_forbidden: { status: 403, when: 'Sellers cannot publish; an admin review does.' },
  product_suspended: { status: 403, when: 'The product is suspended.' },
  checkout_not_available: { status: 403, when: 'The product cannot be sold now; the message says which condition fails.' },
  completion_token_invalid: { status: 403, when: 'The completion token is not one of ours, or not for this buyer.' },
  completion_token_expired: { status: 403, when: 'The completion token is too old.' },
  email_already_corrected: { status: 403, when: 'The buyer corrected the e-mail address of this order before.' },
  order_not_paid: { status: 403, when: 'The order is not paid.' },
  order_expired: { status: 403, when: 'The checkout of this order expired unpaid.' },
  license_not_usable: { status: 403, when: 'The license is not active.' },
  already_upgraded: { status: 403, when: 'The license was upgraded to this product before.' },
  moves_exhausted: { status: 403, when: 'The buyer did this as often as is allowed in 30 days.' },
  offline_not_offered: { status: 403, when: 'The terms of this license have no leases for devices without network.' },
  update_proof_invalid: { status: 403, when: 'The lease or ticket that came is missing, not one of ours, or too old.' },
  update_not_covered: { status: 403, when: 'The license does not cover this release.' },
  file_not_available: { status: 403, when: 'The file cannot be downloaded now.' },
  disabled_in_production: { status: 403, when: 'This endpoint is for staging and local inspection.' },
  route_not_found: { status: 404, when: 'There is no such path and method.' },
  seller_not_found: { status: 404, when: 'There is no such seller.' },
  product_not_found: { status: 404, when: 'There is no such product.' },
  file_not_found: { status: 404, when: 'There is no such file.' },
  release_not_found: { status: 404, when: 'There is no such release.' },
  request_not_found: { status: 404, when: 'There is no such request, or it was decided.' },
  order_not_found: { status: 404, when: 'There is no such order.' },
  license_not_found: { status: 404, when: 'There is no such license.' },
  batch_not_found: { status: 404, when: 'There is no such code batch.' },
  activation_not_found: { status: 404, when: 'There is no such activation.' },
  endpoint_not_found: { status: 404, when: 'The caller has no such webhook endpoint.' },
  token_not_found: { status: 404, when: 'The caller has no such API token.' },
  discount_not_found: { status: 404, when: 'The product has no such discount.' },
  job_not_found: { status: 404, when: 'There is no such job, or it is done.' },
  event_not_found: { status: 404, when: 'There is no such event for the endpoint, or it is kept no more.' },
  stale_revision: { status: 409, when: 'The target changed since the revision that was edited.' },
  onboarding_link_conflict: { status: 409, when: 'An onboarding link cannot be made in this state, or another is being made.' },
  slug_reserved: { status: 409, when: 'Another product holds the slug of this name.' },
  discount_code_taken: { status: 409, when: 'The product has, or had, a discount with this code.' },
  storage_not_configured: { status: 409, when: 'No file store is configured.' },
  upload_not_found: { status: 409, when: 'The file store has no finished upload for this file.' },
  file_mismatch: { status: 409, when: 'Size, hash or type differ from what was declared.' },
  file_state_conflict: { status: 409, when: 'The file is not in a state that allows this.' },
  file_in_use: { status: 409, when: 'A release uses the file.' },
  file_name_taken: { status: 409, when: 'Another release of the product has a file of this name.' },
  version_taken: { status: 409, when: 'The product has a release of this version that is no draft.' },
  release_state_conflict: { status: 409, when: 'The release is not in a state that allows this.' },
  file_not_verified: { status: 409, when: 'The hash of the file is not verified.' },
  file_not_trusted_clean: { status: 409, when: 'Neither a trusted scanner nor an admin vouches for the file.' },
  activation_limit_exceeded: { status: 409, when: 'Every seat of the license is taken.' },
  rate_limited: { status: 429, when: 'Too many requests in a short time; Retry-After says when to come back.' },
  internal_error: { status: 500, when: 'An unexpected failure on our side.' },
  dependency_unavailable: { status: 503, when: 'Something the service stands on is away; try again later.' },
} as const satisfies Record<string, { status: number; when: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** Codes that refuse the caller rather than the request: a caller that collects many may be guessing or flooding. */
export const refusalCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unauthenticated',
  'forbidden',
  'token_scope_insufficient',
  'self_review_forbidden',
  'signature_missing',
  'signature_invalid',
  'completion_token_invalid',
  'completion_token_expired',
  'rate_limited',
]);

/**
 * A failure that the caller may see: `code` and `message` go into the Error body
 * unchanged, so the message never holds a secret or an echoed value.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Seconds after which the same request may succeed; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string = errorCodes[code].when, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** What was found. @throws AppError with this code when nothing was */
export async function requireFound<Found>(found: Promise<Found | undefined>, code: ErrorCode): Promise<Found> {
  const result = await found;
  if (result === undefined) throw new AppError(code);
  return result;
}

/** Whether `error` is an AppError with this code. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof AppError && error.code === code;
}
