/** What an attribute takes in the table, or a little more: names and texts in UTF-8. DynamoDB takes items of 400 KB. */
export function attributeBytes(attribute: unknown): number {
  if (typeof attribute === 'string') return Buffer.byteLength(attribute);
  if (Array.isArray(attribute)) return attribute.reduce((bytes: number, element) => bytes + 1 + attributeBytes(element), 3);
  if (attribute === null || typeof attribute !== 'object') return 21;
  return Object.entries(attribute).reduce((bytes, [name, value]) => bytes + 1 + Buffer.byteLength(name) + attributeBytes(value), 3);
}
