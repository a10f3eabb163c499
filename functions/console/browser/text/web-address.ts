/** An address that somebody else wrote, as it may be shown and opened. */
export interface WebAddress {
  /** In ASCII alone: hosts of other scripts as punycode. */
  href: string;
  /** Whether the host is written in another script and may look like one that it is not. */
  foreign: boolean;
}

/** Undefined for what is no address of the web, or hides its host behind a name. */
export function webAddressOf(text: string): WebAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, hostname, href } = new URL(text);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined;
  return { href, foreign: /(^|\.)xn--/.test(hostname) };
}
