import { documentOf } from './xml.ts';

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

export const noSuchUpload = () =>
  new S3Error(
    404,
    'NoSuchUpload',
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  );

/** The body of an error reply. It never shows the query, which may hold a signature. */
export const errorXml = ({ code, message }: S3Error, resource: string, requestId: string): string =>
  documentOf('Error', { Code: code, Message: message, Resource: resource, RequestId: requestId });
