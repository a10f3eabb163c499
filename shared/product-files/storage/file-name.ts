const maxLength = 150;
/** What looks like an extension but is longer than this is part of the name. */
const maxExtension = 20;

/** Control characters, line separators, the marks that turn the direction of text, invisible marks, noncharacters. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Cn}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
/** Reserved by some file system. */
const reserved = /[<>:"|?*]/g;
/** Names of devices, which some systems open instead of a file. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?= *(\.|$))/i;

/**
 * A file name that is safe to store, to show and to download under: the last segment of a
 * path, at most 150 characters, its extension kept. See "Uploads" in shared/product-files/bytes.md.
 */
export function sanitizeFileName(original: string): string {
  const segment = original.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const name = trimmed(segment.replace(misleading, '_').replace(reserved, '_')).replace(device, '_$1');
  return /^\.*$/.test(name) ? 'file' : shortened(name);
}

/** Without white space around, or dots and white space at the end, which some systems drop by themselves. */
const trimmed = (name: string) => name.trim().replace(/[\s.]+$/u, '');

function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  const dot = characters.lastIndexOf('.');
  const extension = characters.length - dot <= maxExtension ? characters.slice(dot) : [];
  const stem = characters.slice(0, maxLength - extension.length);
  return trimmed(stem.join('')) + extension.join('');
}

/**
 * The Content-Disposition under which a file is downloaded: RFC 6266, with the name in
 * UTF-8 and a fallback in ASCII.
 */
export function attachmentDisposition(fileName: string): string {
  const fallback = fileName.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`;
}
