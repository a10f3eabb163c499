/**
 * The interface as it was agreed with the authors of its clients, kept apart from the code: a change here breaks clients.
 * By endpoint its statuses, that of success first; what is sent, in the query of a GET and otherwise in the body; and
 * the reply: the name of a schema, or fields. Who may call it stands with the tests of authorization.
 */
export const specification: Readonly<Record<string, readonly [statuses: readonly number[], request: string, reply: string]>> = {
  'GET /healthz': [[200, 429, 503], '', 'HealthResponse'],
  'GET /readyz': [[200, 429, 503], '', 'HealthResponse'],
  'POST /v1/sellers': [[201, 400, 401, 403], 'CreateSellerRequest', 'Seller'],
  'GET /v1/sellers/me': [[200, 401, 404], '', 'Seller'],
  'POST /v1/sellers/payment/account-link': [[200, 401, 404, 409], '', 'url:uri'],
  'POST /v1/sellers/payment/refresh': [[200, 400, 401, 404], '', 'Seller'],
  'POST /v1/payment/webhook': [[200, 400], 'object', 'PlatformReceipt'],
  'POST /v1/payment/connect/webhook': [[200, 400], 'object', 'ConnectReceipt'],
  'GET /v1/admin/sellers': [[200, 403], '', 'items:Seller[]'],
  'PATCH /v1/admin/sellers/{seller_id}/review': [[200, 400, 403, 404], 'ReviewSellerRequest', 'Seller'],
  'PATCH /v1/admin/products/{product_id}/review': [[200, 400, 403, 404], 'ReviewProductRequest', 'Product'],
  'GET /v1/admin/product-files': [
    [200, 400, 403],
    'status? product_id? seller_id? hash_status?:ProductFileHashStatus scan_status?:ProductFileScanStatus limit?:1to100',
    'items:ProductFileAdmin[]',
  ],
  'PATCH /v1/admin/products/{product_id}/files/{file_id}/review': [
    [200, 400, 403, 404, 409],
    'ProductFileReviewRequest',
    'ProductFileAdmin',
  ],
  'POST /v1/admin/orders/{order_id}/completion-token': [[200, 400, 403, 404], '', 'AdminCompletionTokenResponse'],
  'POST /v1/admin/licenses/{license_id}/revoke': [[200, 400, 403, 404], 'RevokeLicenseRequest', 'processed:boolean license:IssuedLicense'],
  'POST /v1/products': [[201, 400, 401, 409], 'ProductUpsertRequest', 'Product'],
  'GET /v1/products/{product_id}': [[200, 403, 404], '', 'Product'],
  'PATCH /v1/products/{product_id}': [[200, 400, 403, 404, 409], 'ProductUpsertRequest', 'Product'],
  'POST /v1/products/{product_id}/publish': [[200, 400, 403, 404], 'publish:boolean', 'Product'],
  'POST /v1/products/{product_id}/submit-review': [[200, 400, 403, 404], '', 'Product'],
  'POST /v1/products/{product_id}/code-batches': [[202, 400, 403, 404], 'ImportCodesRequest', 'CodeBatch'],
  'POST /v1/products/{product_id}/files/upload-intent': [
    [201, 400, 403, 404],
    'ProductFileUploadIntentRequest',
    'ProductFileUploadIntentResponse',
  ],
  'POST /v1/products/{product_id}/files/{file_id}/finalize': [[200, 400, 403, 404, 409], 'ProductFileFinalizeRequest', 'ProductFile'],
  'GET /v1/public/products/{slug}': [[200, 404], '', 'PublicProduct'],
  'POST /v1/public/products/{slug}/quote': [[200, 400, 403, 404, 429], 'QuoteRequest', 'Quote'],
  'POST /v1/public/products/{slug}/checkout': [[201, 400, 403, 404, 429], 'CreateCheckoutRequest', 'CheckoutResponse'],
  'POST /v1/purchases/complete': [
    [200, 400, 403, 404, 429],
    'PurchaseCompletionRequest',
    'PurchaseCompletionPageResponse|PurchaseCompletionResponse',
  ],
  'POST /v1/purchases/files/{file_id}/download-intent': [
    [200, 400, 403, 404, 429],
    'FileDownloadIntentRequest',
    'FileDownloadIntentResponse',
  ],
  'POST /v1/licenses/validate': [[200, 400], 'LicenseRuntimeRequest', 'LicenseRuntimeResponse'],
  'POST /v1/licenses/activate': [[200, 400, 409], 'LicenseDeviceRequest', 'LicenseRuntimeResponse'],
  'POST /v1/licenses/deactivate': [[200, 400], 'LicenseDeviceRequest', 'LicenseRuntimeResponse'],
};

/** What a field may be beside a text, which needs no word: a list of these ends in []. Words in capitals are schemas. */
export const specifiedKinds: Readonly<Record<string, object>> = {
  text: { type: 'string' },
  email: { type: 'string', format: 'email' },
  uri: { type: 'string', format: 'uri' },
  'date-time': { type: 'string', format: 'date-time' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  amount: { type: 'integer', minimum: 0 },
  size: { type: 'integer', format: 'int64' },
  filled: { type: 'integer', format: 'int64', minimum: 1 },
  '1to100': { type: 'integer', minimum: 1, maximum: 100 },
  currency: { type: 'string', minLength: 3, maxLength: 3 },
  sha256: { type: 'string', pattern: '^[a-fA-F0-9]{64}$' },
  reason: { type: 'string', maxLength: 500 },
  PUT: { type: 'string', const: 'PUT' },
  texts: { type: 'object', additionalProperties: { type: 'string' } },
  binary: { type: 'string', format: 'binary' },
  object: { type: 'object' },
};

/** The agreed fields of each schema, those that are always there first: `name:kind=default`. */
export const specifiedSchemas: Readonly<Record<string, readonly [required: string, optional: string]>> = {
  Error: ['code message', 'request_id'],
  HealthResponse: ['status', ''],
  Seller: [
    'id owner_user_id display_name internal_review_status:sellerReview payment_onboarding_status:onboarding',
    'contact_email:email support_email:email site_url:uri payment_connected_account_id payment_charges_enabled:boolean payment_payouts_enabled:boolean payment_requirements_due:text[] payment_disabled_reason',
  ],
  CreateSellerRequest: ['display_name contact_email:email support_email:email site_url:uri', ''],
  ReviewSellerRequest: ['decision:sellerDecision', 'note'],
  ReviewProductRequest: ['decision:productDecision', 'rejection_reason note'],
  ProductUpsertRequest: [
    'name description price_amount:amount currency:currency support_email:email refund_policy software_operating_environment',
    'tokushoho_seller_name tokushoho_contact tokushoho_address forbidden_category_acknowledged:boolean=false license_issuance_mode:LicenseIssuanceMode="generated_server_validated" license_key_prefix:text="LIC1" activation_limit:integer=1 features:text[] deactivation_allowed:boolean=true',
  ],
  Product: [
    'id seller_id slug name status:productStatus price_amount:integer currency license_issuance_mode:LicenseIssuanceMode',
    'description review_status:productReview reviewed_by reviewed_at:date-time rejection_reason support_email:email refund_policy software_operating_environment forbidden_category_acknowledged:boolean license_key_prefix activation_limit:integer features:text[]',
  ],
  PublicProduct: [
    'id slug name description price_amount:integer currency seller_display_name support_email:email refund_policy software_operating_environment',
    'license_issuance_mode:LicenseIssuanceMode activation_limit:integer features:text[]',
  ],
  ProductFileUploadIntentRequest: ['filename content_type size_bytes:filled sha256_hex:sha256', ''],
  ProductFileUploadIntentResponse: [
    'product_file_id upload_url:uri method:PUT expires_at:date-time max_size_bytes:size storage_provider:storage',
    'required_headers:texts',
  ],
  ProductFileFinalizeRequest: ['size_bytes:filled sha256_hex:sha256', 'content_type'],
  ProductFileReviewRequest: ['decision:fileDecision', 'visibility:ProductFileVisibility rejected_reason manual_scan_clean_reason:reason'],
  ProductFile: [
    'id product_id seller_id file_name content_type size_bytes:size hash_status:ProductFileHashStatus scan_status:ProductFileScanStatus status:ProductFileStatus visibility:ProductFileVisibility',
    'sha256_hex verified_size_bytes:size verified_content_type verified_sha256_hex hash_error scan_engine scan_signature_version scan_result_summary scan_error scan_trust_source:ProductFileScanTrustSource scan_trusted_clean:boolean storage_provider:storage created_at:date-time uploaded_at:date-time verified_at:date-time scanned_at:date-time approved_at:date-time rejected_at:date-time rejected_reason',
  ],
  ProductFileAdmin: [
    'file_id product_id seller_id filename content_type size_bytes:size hash_status:ProductFileHashStatus scan_status:ProductFileScanStatus scan_trusted_clean:boolean status:ProductFileStatus visibility:ProductFileVisibility created_at:date-time',
    'verified_size_bytes:size verified_content_type sha256_hex verified_sha256_hex hash_error scan_engine scan_signature_version scan_result_summary scan_error scan_trust_source:ProductFileScanTrustSource',
  ],
  LicenseRuntimeRequest: ['product_id license_key', 'device_fingerprint device_label app_version'],
  LicenseRuntimeResponse: [
    'valid:boolean code checked_at:date-time',
    'license_id status:LicenseStatus activation_limit:integer activation_count:integer features:text[] issued_at:date-time expires_at:date-time device_activated:boolean',
  ],
  IssuedLicense: [
    'id product_id seller_id status:LicenseStatus license_issuance_mode:LicenseIssuanceMode license_key_hint activation_limit:integer activation_count:integer features:text[] deactivation_allowed:boolean issued_at:date-time',
    'order_id expires_at:date-time revoked_at:date-time revoked_by revoked_reason',
  ],
  CodeBatch: [
    'id product_id status:batchStatus idempotency_key total_rows:integer imported_count:integer duplicate_count:integer rejected_count:integer errors:RowError[] created_at:date-time',
    'completed_at:date-time',
  ],
  RevokeLicenseRequest: ['', 'reason'],
  QuoteRequest: ['', 'quantity:1to100 discount_code'],
  Quote: ['currency unit_amount:integer quantity:integer discount_amount:integer total:integer', ''],
  CreateCheckoutRequest: ['', 'quantity:1to100 discount_code buyer_email:email locale:locale'],
  CheckoutResponse: ['order_id checkout_url:uri expires_at:date-time quantity:integer unit_amount:integer amount:integer currency', ''],
  PurchaseCompletionRequest: ['', 'token buyer_email:email completion_token'],
  PurchaseCompletionResponse: [
    'order_id order_status:OrderStatus product_id product_name',
    'license_id license_status:LicenseStatus license_key',
  ],
  PurchaseCompletionPageResponse: ['order:object product:object files:object[] expires_at:date-time', 'license:object'],
  FileDownloadIntentRequest: ['', 'token buyer_email:email completion_token'],
  FileDownloadIntentResponse: ['download_url:uri expires_at:date-time', ''],
  AdminCompletionTokenResponse: ['order_id completion_token completion_url:uri expires_at:date-time', ''],
  ImportCodesRequest: ['idempotency_key file:binary', ''],
  PlatformReceipt: ['received:boolean processed:boolean', 'ignored:boolean'],
  ConnectReceipt: ['received:boolean processed:boolean', ''],
};

/** The agreed lists of values, by the name of their schema, or another where they have none. */
export const specifiedEnums: Readonly<Record<string, string>> = {
  LicenseIssuanceMode: 'generated_server_validated imported_csv',
  ProductFileStatus: 'upload_pending pending_review approved rejected disabled',
  ProductFileHashStatus: 'unverified verified mismatch error',
  ProductFileScanStatus: 'not_scanned clean infected error',
  ProductFileVisibility: 'private buyer_visible',
  ProductFileScanTrustSource: 'none scanner manual',
  sellerReview: 'draft pending_review approved_limited approved rejected suspended',
  onboarding: 'not_started account_created onboarding_started requirements_due charges_enabled payouts_enabled restricted rejected',
  sellerDecision: 'approve approve_limited needs_more_info reject suspend',
  productDecision: 'approve reject suspend',
  productStatus: 'draft pending_review approved published unpublished rejected suspended',
  productReview: 'draft pending_review approved published rejected suspended',
  fileDecision: 'approve manual_clean mark_manual_clean reject disable',
  storage: 'objstore metadata_only',
  batchStatus: 'accepted processing completed failed',
  locale: 'ja en auto',
};
