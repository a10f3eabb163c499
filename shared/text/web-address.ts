/** A host with a dot, and what may follow it. */
const withoutScheme = /^(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]*(?:[/?#]|$)/u;

/** A web address with the `https://` that people leave out. */
export const withScheme = (text: string): string => (withoutScheme.test(text) ? `https://${text}` : text);

/** A browser takes these for others, leaves them out, or shows them elsewhere. */
const misleading = /[\s\p{Cc}\p{Bidi_Control}\\]/u;

/** Whether an address of the web leads to the host that it begins with: no credentials pose as the host, and nothing hides it. */
export const hasPlainHost = (address: string): boolean => /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(address) && !misleading.test(address);
