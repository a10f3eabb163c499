/**
 * Whether both are one e-mail address, letter case of ASCII aside. Letters of other scripts,
 * some of which fold to ASCII ones (the Kelvin sign to k), equal only themselves.
 */
export const isSameAddress = (a: string, b: string): boolean => foldAscii(a) === foldAscii(b);

/** The link that writes to an address, and adds nothing to the mail, whatever the address holds. */
export const mailtoUrl = (address: string): string => `mailto:${address.split('@').map(encodeURIComponent).join('@')}`;

const foldAscii = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
