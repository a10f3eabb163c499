/** An S3 error: its code is what clients branch on, and its status goes with it. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const accessDenied = (message = 'Access Denied') => new S3Error(403, 'AccessDenied', message);
export const invalidArgument = (message: string) => new S3Error(400, 'InvalidArgument', message);
export const preconditionFailed = () =>
  new S3Error(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
export const notImplemented = (what: string) =>
  new S3Error(501, 'NotImplemented', `${what} implies functionality that this object store does not have.`);

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
export const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** The body of an error reply. It never shows the query, which may hold a signature. */
export function errorXml(error: S3Error, resource: string, requestId: string): string {
  const fields = { Code: error.code, Message: error.message, Resource: resource, RequestId: requestId };
  const inner = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner.join('')}</Error>`;
}
