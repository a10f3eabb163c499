import type { Artifact } from '../../../shared/releases/artifacts/artifact.ts';
import type { PublicRelease } from '../../../shared/releases/release.ts';
import type { Wire } from '../../../shared/wire.ts';
import type { Purchase } from './purchase/purchase.ts';

/** What came of a request: its body, or the error code (`offline` or `unreachable` when there was no answer). */
export type Outcome<Body> = { ok: true; body: Body } | Failure;

export interface Failure {
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
export async function post<Body>(path: string, data: Record<string, string | number | undefined>): Promise<Outcome<Body>> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      // Mails that are asked for come in the language of the page, which may be another than the browser's.
      headers: { 'Content-Type': 'application/json', 'Accept-Language': document.documentElement.lang },
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
      code: String(body.code ?? codeOf(response.status)),
      message: String(body.message ?? ''),
      requestId: String(body.request_id ?? ''),
      retryAfterSeconds: Number(response.headers.get('Retry-After')) || 0,
    };
  } catch {
    return { ok: false, code: navigator.onLine ? 'unreachable' : 'offline', message: '', requestId: '', retryAfterSeconds: 0 };
  }
}

/** What a reply without a code of the service means: gateways answer by themselves when they are overloaded. */
function codeOf(status: number): string {
  if (status === 429) return 'rate_limited';
  if (status === 503) return 'dependency_unavailable';
  return status >= 500 ? 'internal_error' : 'unreachable';
}

export const openPurchase = (token: string) => post<Purchase>('/v1/purchases/complete', { token });
export const openDownload = (token: string, fileId: string) =>
  post<{ download_url: string }>(`/v1/purchases/files/${encodeURIComponent(fileId)}/download-intent`, { token });
export const resendLink = (buyerEmail: string) => post<unknown>('/v1/purchases/resend-link', { buyer_email: buyerEmail });

export interface Device {
  activation_id: string;
  device_label?: string;
  activated_at: string;
}

/** A page of the devices that have a seat. */
export interface Devices {
  activation_limit: number;
  activation_count: number;
  devices: Device[];
  moves_left: number;
  moves_reset_at?: string;
  next_cursor?: string;
}

export const listDevices = (token: string, cursor?: string) => post<Devices>('/v1/purchases/devices', { token, cursor });
export const freeDevice = (token: string, activationId: string) =>
  post<{ activation_count: number }>(`/v1/purchases/devices/${encodeURIComponent(activationId)}/release`, { token });

/** A page of the releases of the purchased product, the highest version first; `artifacts` where the license covers it. */
export interface Releases {
  updates_until?: string;
  items: Release[];
  next_cursor?: string;
}

export type Release = Wire<PublicRelease> & { covered: boolean; artifacts?: ReleaseFile[] };

export type ReleaseFile = Wire<Artifact>;

export const listReleases = (token: string, cursor?: string) => post<Releases>('/v1/purchases/releases', { token, cursor });
export const replaceKey = (token: string) => post<Purchase>('/v1/purchases/replace-key', { token });
export const correctEmail = (token: string, buyerEmail: string) =>
  post<unknown>('/v1/purchases/buyer-email', { token, buyer_email: buyerEmail });

/** Where something that is bought for a license is paid, and how much. */
export interface Payment {
  checkout_url: string;
  amount: number;
  currency: string;
}

/** The language in which it is paid: that of the page. */
const inPageLanguage = () => ({ locale: document.documentElement.lang });

export const startAddition = (token: string, addition: { kind: 'seats'; quantity: number } | { kind: 'updates' }) =>
  post<Payment>('/v1/purchases/additions', { token, ...addition, ...inPageLanguage() });
export const startUpgrade = (token: string, productId: string) =>
  post<Payment>('/v1/purchases/upgrades', { token, product_id: productId, ...inPageLanguage() });

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
