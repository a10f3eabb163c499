/**
 * The interface as it was agreed with the authors of its clients, kept apart from the code: a change
 * here breaks clients. An endpoint of it:
 */
export interface SpecifiedEndpoint {
  method: string;
  path: string;
  auth: 'none' | 'seller' | 'admin';
  success: number;
  errors: readonly number[];
}

const row = (
  method: string,
  path: string,
  auth: SpecifiedEndpoint['auth'],
  success: number,
  errors: readonly number[],
): SpecifiedEndpoint => ({
  method,
  path,
  auth,
  success,
  errors,
});

export const specification: readonly SpecifiedEndpoint[] = [
  row('GET', '/healthz', 'none', 200, [429, 503]),
  row('GET', '/readyz', 'none', 200, [429, 503]),
  row('POST', '/v1/sellers', 'seller', 201, [400, 401, 403]),
  row('GET', '/v1/sellers/me', 'seller', 200, [401, 404]),
  row('POST', '/v1/sellers/payment/account-link', 'seller', 200, [401, 404, 409]),
  row('POST', '/v1/sellers/payment/refresh', 'seller', 200, [400, 401, 404]),
  row('POST', '/v1/payment/webhook', 'none', 200, [400]),
  row('POST', '/v1/payment/connect/webhook', 'none', 200, [400]),
  row('GET', '/v1/admin/sellers', 'admin', 200, [403]),
  row('PATCH', '/v1/admin/sellers/{seller_id}/review', 'admin', 200, [400, 403, 404]),
  row('PATCH', '/v1/admin/products/{product_id}/review', 'admin', 200, [400, 403, 404]),
  row('GET', '/v1/admin/product-files', 'admin', 200, [400, 403]),
  row('PATCH', '/v1/admin/products/{product_id}/files/{file_id}/review', 'admin', 200, [400, 403, 404, 409]),
  row('POST', '/v1/admin/orders/{order_id}/completion-token', 'admin', 200, [400, 403, 404]),
  row('POST', '/v1/admin/licenses/{license_id}/revoke', 'admin', 200, [400, 403, 404]),
  row('POST', '/v1/products', 'seller', 201, [400, 401, 409]),
  row('GET', '/v1/products/{product_id}', 'seller', 200, [403, 404]),
  row('PATCH', '/v1/products/{product_id}', 'seller', 200, [400, 403, 404, 409]),
  row('POST', '/v1/products/{product_id}/publish', 'seller', 200, [400, 403, 404]),
  row('POST', '/v1/products/{product_id}/submit-review', 'seller', 200, [400, 403, 404]),
  row('POST', '/v1/products/{product_id}/code-batches', 'seller', 202, [400, 403, 404]),
  row('POST', '/v1/products/{product_id}/files/upload-intent', 'seller', 201, [400, 403, 404]),
  row('POST', '/v1/products/{product_id}/files/{file_id}/finalize', 'seller', 200, [400, 403, 404, 409]),
  row('GET', '/v1/public/products/{slug}', 'none', 200, [404]),
  row('POST', '/v1/public/products/{slug}/checkout', 'none', 201, [400, 403, 404, 429]),
  row('POST', '/v1/purchases/complete', 'none', 200, [400, 403, 404, 429]),
  row('POST', '/v1/purchases/files/{file_id}/download-intent', 'none', 200, [400, 403, 404, 429]),
  row('POST', '/v1/licenses/validate', 'none', 200, [400]),
  row('POST', '/v1/licenses/activate', 'none', 200, [400, 409]),
  row('POST', '/v1/licenses/deactivate', 'none', 200, [400]),
];

/** The agreed fields of each schema, those that are always there first. */
export const specifiedSchemas: Readonly<Record<string, readonly [required: string, optional: string]>> = {
  Error: ['code message', 'request_id'],
  HealthResponse: ['status', ''],
  Seller: [
    'id owner_user_id display_name internal_review_status payment_onboarding_status',
    'contact_email support_email site_url payment_connected_account_id payment_charges_enabled payment_payouts_enabled payment_requirements_due payment_disabled_reason',
  ],
  CreateSellerRequest: ['display_name contact_email support_email site_url', ''],
  ReviewSellerRequest: ['decision', 'note'],
  ReviewProductRequest: ['decision', 'rejection_reason note'],
  ProductUpsertRequest: [
    'name description price_amount currency support_email refund_policy software_operating_environment',
    'tokushoho_seller_name tokushoho_contact tokushoho_address forbidden_category_acknowledged license_issuance_mode license_key_prefix activation_limit features deactivation_allowed',
  ],
  Product: [
    'id seller_id slug name status price_amount currency license_issuance_mode',
    'description review_status reviewed_by reviewed_at rejection_reason support_email refund_policy software_operating_environment forbidden_category_acknowledged license_key_prefix activation_limit features',
  ],
  PublicProduct: [
    'id slug name description price_amount currency seller_display_name support_email refund_policy software_operating_environment',
    'license_issuance_mode activation_limit features',
  ],
  ProductFileUploadIntentRequest: ['filename content_type size_bytes sha256_hex', ''],
  ProductFileUploadIntentResponse: ['product_file_id upload_url method expires_at max_size_bytes storage_provider', 'required_headers'],
  ProductFileFinalizeRequest: ['size_bytes sha256_hex', 'content_type'],
  ProductFileReviewRequest: ['decision', 'visibility rejected_reason manual_scan_clean_reason'],
  ProductFile: [
    'id product_id seller_id file_name content_type size_bytes hash_status scan_status status visibility',
    'sha256_hex verified_size_bytes verified_content_type verified_sha256_hex hash_error scan_engine scan_signature_version scan_result_summary scan_error scan_trust_source scan_trusted_clean storage_provider created_at uploaded_at verified_at scanned_at approved_at rejected_at rejected_reason',
  ],
  ProductFileAdmin: [
    'file_id product_id seller_id filename content_type size_bytes hash_status scan_status scan_trusted_clean status visibility created_at',
    'verified_size_bytes verified_content_type sha256_hex verified_sha256_hex hash_error scan_engine scan_signature_version scan_result_summary scan_error scan_trust_source',
  ],
  LicenseRuntimeRequest: ['product_id license_key', 'device_fingerprint device_label app_version'],
  LicenseRuntimeResponse: [
    'valid code checked_at',
    'license_id status activation_limit activation_count features issued_at expires_at device_activated',
  ],
  IssuedLicense: [
    'id order_id product_id seller_id status license_issuance_mode license_key_hint activation_limit activation_count features deactivation_allowed issued_at',
    'expires_at revoked_at revoked_by revoked_reason',
  ],
  CodeBatch: [
    'id product_id status idempotency_key total_rows imported_count duplicate_count rejected_count errors created_at',
    'completed_at',
  ],
  RevokeLicenseRequest: ['', 'reason'],
  CreateCheckoutRequest: ['', 'buyer_email locale'],
  CheckoutResponse: ['order_id checkout_url expires_at amount currency', ''],
  PurchaseCompletionRequest: ['', 'token buyer_email completion_token'],
  PurchaseCompletionResponse: ['order_id order_status product_id product_name', 'license_id license_status license_key'],
  PurchaseCompletionPageResponse: ['order product files expires_at', 'license'],
  FileDownloadIntentRequest: ['', 'token buyer_email completion_token'],
  FileDownloadIntentResponse: ['download_url expires_at', ''],
  AdminCompletionTokenResponse: ['order_id completion_token completion_url expires_at', ''],
};

/** The agreed lists of values, by name. */
export const specifiedEnums: Readonly<Record<string, string>> = {
  LicenseIssuanceMode: 'generated_server_validated imported_csv',
  ProductFileStatus: 'upload_pending pending_review approved rejected disabled',
  ProductFileHashStatus: 'unverified verified mismatch error',
  ProductFileScanStatus: 'not_scanned clean infected error',
  ProductFileVisibility: 'private buyer_visible',
  ProductFileScanTrustSource: 'none scanner manual',
};
