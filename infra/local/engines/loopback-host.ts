/**
 * Whether a request was meant for this machine, by its Host header. A page of another site can
 * have its own name resolve to 127.0.0.1 and then read what it is answered, but not change this header.
 */
export const isOwnHost = (host: string | undefined): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(host ?? '');
