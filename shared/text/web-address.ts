/** A host with a dot, and what may follow it. */
const withoutScheme = /^(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]*(?:[/?#]|$)/u;

/** A web address with the `https://` that people leave out. */
export const withScheme = (text: string): string => (withoutScheme.test(text) ? `https://${text}` : text);
