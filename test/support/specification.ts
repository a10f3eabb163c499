/** Part 4 of the interface specification, row by row. */
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
