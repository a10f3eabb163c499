/** What came of a request: its body, or the error code (`unreachable` when there was no answer). */
export type Outcome<Body> = { ok: true; body: Body } | Failure;

interface Failure {
  ok: false;
  code: string;
  message: string;
  requestId: string;
  retryAfterSeconds: number;
}

/**
 * Posts JSON to the page's own origin. Never throws, caches nothing and sends no referrer. That the reply has the
 * shape of `Body` is taken on trust: it comes from the same service as this script.
 */
export async function post<Body>(path: string, data: Record<string, string>): Promise<Outcome<Body>> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(data),
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(25_000),
    });
    const body = await response.json().catch(() => ({}));
    if (response.ok) return { ok: true, body };
    return {
      ok: false,
      code: String(body.code ?? 'unreachable'),
      message: String(body.message ?? ''),
      requestId: String(body.request_id ?? ''),
      retryAfterSeconds: Number(response.headers.get('Retry-After')) || 0,
    };
  } catch {
    return { ok: false, code: 'unreachable', message: '', requestId: '', retryAfterSeconds: 0 };
  }
}

export interface PurchasedFile {
  file_id: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  sha256_hex: string;
}

/** The reply of `POST /v1/purchases/complete` for a token. */
export interface Purchase {
  order: { id: string; status: string; amount: number; currency: string; paid_at?: string };
  product: {
    name: string;
    seller_display_name: string;
    support_email: string;
    refund_policy: string;
    software_operating_environment: string;
  };
  license?: { id: string; status: string; license_key?: string; activation_limit: number; activation_count: number; issued_at: string };
  files: PurchasedFile[];
  expires_at?: string;
}

export const openPurchase = (token: string) => post<Purchase>('/v1/purchases/complete', { token });
export const openDownload = (token: string, fileId: string) =>
  post<{ download_url: string }>(`/v1/purchases/files/${encodeURIComponent(fileId)}/download-intent`, { token });
export const resendLink = (buyerEmail: string) => post<unknown>('/v1/purchases/resend-link', { buyer_email: buyerEmail });

/** The reply of `POST /v1/licenses/offline-activations`. */
export interface Activation {
  valid: boolean;
  code: string;
  activation_count?: number;
  activation_limit?: number;
  lease?: string;
}

export const activateOfflineDevice = (licenseKey: string, requestCode: string) =>
  post<Activation>('/v1/licenses/offline-activations', { license_key: licenseKey, request_code: requestCode });
