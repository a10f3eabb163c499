/**
 * Whether both are one e-mail address, letter case of ASCII aside. Letters of other scripts,
 * some of which fold to ASCII ones (the Kelvin sign to k), equal only themselves.
 */
export const isSameAddress = (a: string, b: string): boolean => foldAscii(a) === foldAscii(b);

/** The link that writes to an address, and adds nothing to the mail, whatever the address holds. */
export const mailtoUrl = (address: string): string => `mailto:${address.split('@').map(encodeURIComponent).join('@')}`;

const foldAscii = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Characters that need no quotes; the mail service takes no other local part, and dots where they stand only in quotes. */
const localForm = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/;
const needsQuotes = /^\.|\.\.|\.$/;

/** In ASCII: at least two labels, the last of which is no number, since that would be an IP address. */
const domainForm = /^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)+(?![\d.]+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;
/** With these a URL would have something else than its host, or another host than is read. */
const neverInHost = /[\s\p{C}"#%()/:;<>?@[\\\]^|]/u;

const maxLength = 254;

/** An address that a mail can reach. */
interface ReachableAddress {
  localPart: string;
  /** In its ASCII form (IDNA). */
  domain: string;
}

/** The parts of an address; undefined where no mail can reach it. */
function parseAddress(text: string): ReachableAddress | undefined {
  const at = text.lastIndexOf('@');
  const localPart = text.slice(0, Math.max(at, 0));
  const domain = asciiDomain(text.slice(at + 1));
  const fits = domain !== undefined && localForm.test(localPart) && localPart.length + 1 + domain.length <= maxLength;
  return fits ? { localPart, domain } : undefined;
}

/** A domain that is in ASCII already keeps its letter case. */
function asciiDomain(domain: string): string | undefined {
  const url = `http://${domain}`;
  if (domain.length > maxLength || neverInHost.test(domain) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  if (!domainForm.test(hostname)) return undefined;
  return /^[!-~]*$/.test(domain) ? domain : hostname;
}

/** Whether a mail can reach the address: whether the mail service takes it. */
export const isReachable = (address: string): boolean => parseAddress(address) !== undefined;

/** The address with its domain in ASCII; as it is where no mail can reach it. */
export function toAsciiAddress(address: string): string {
  const { localPart, domain } = parseAddress(address) ?? {};
  return localPart === undefined ? address : `${localPart}@${domain}`;
}

/** The address as the mail service wants it: in ASCII, and the local part in quotes if only these allow its dots. Undefined where no mail can reach it. */
export function toMailbox(address: string): string | undefined {
  const parts = parseAddress(address);
  return parts && `${needsQuotes.test(parts.localPart) ? `"${parts.localPart}"` : parts.localPart}@${parts.domain}`;
}
