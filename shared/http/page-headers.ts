/** What every reply carries: it is what its content type says, and only https leads here. */
export const replyHeaders = {
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** What every reply to a browser carries besides its own Content-Security-Policy. */
export const pageHeaders = {
  ...replyHeaders,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** Whether the caller takes gzip, by its Accept-Encoding; the gateway itself does not compress. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(acceptEncoding ?? '');
