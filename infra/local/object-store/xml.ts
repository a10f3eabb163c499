const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const characters = new Map(Object.entries(escapes).map(([character, entity]) => [entity, character]));

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
export const unescapeXml = (text: string) => text.replace(/&(?:quot|apos|lt|gt|amp);/g, (entity) => characters.get(entity) ?? '');

/** An element that holds a text in each field, and then other elements. */
export function elementOf(name: string, fields: Record<string, string | number | boolean>, ...others: string[]): string {
  const inner = Object.entries(fields).map(([field, value]) => `<${field}>${escapeXml(String(value))}</${field}>`);
  return `<${name}>${[...inner, ...others].join('')}</${name}>`;
}

export const documentOf = (...root: Parameters<typeof elementOf>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${elementOf(...root)}`;
