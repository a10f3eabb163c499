import type { IncomingMessage } from 'node:http';
import { invalidArgument, S3Error } from './s3-error.ts';

/** A request as S3 reads it: path style, everything percent-decoded once. */
export interface S3Request {
  method: string;
  /** The path, decoded; used for the signature and for error replies. */
  path: string;
  bucket: string;
  /** Empty for a request about the bucket itself. */
  key: string;
  /** Every query parameter in the order sent. */
  query: readonly (readonly [name: string, value: string])[];
  /** Header values by lower-case name; repeated headers are joined by a comma. */
  headers: ReadonlyMap<string, string>;
  /** The body as it comes, once; a client that waits for the go-ahead gets it now. */
  takeBody(): AsyncIterable<Buffer>;
}

/** @throws S3Error InvalidURI, KeyTooLongError */
export function readRequest(message: IncomingMessage, goAhead: () => void): S3Request {
  const [rawPath = '', ...rest] = (message.url ?? '').split('?');
  const path = decode(rawPath);
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  if (Buffer.byteLength(key) > 1024) {
    throw new S3Error(400, 'KeyTooLongError', 'Your key is too long');
  }
  return {
    method: message.method ?? '',
    path,
    bucket,
    key,
    query: readQuery(rest.join('?')),
    headers: readHeaders(message),
    takeBody,
  };

  function takeBody(): AsyncIterable<Buffer> {
    goAhead();
    // The connection must outlive a body that is refused halfway, or the client never sees why.
    return { [Symbol.asyncIterator]: () => message.iterator({ destroyOnReturn: false }) };
  }
}

/** The value of a query parameter. */
export function queryValue(request: S3Request, name: string): string | undefined {
  return request.query.find(([given]) => given === name)?.[1];
}

/** @throws S3Error InvalidArgument for what is no number from `least` to `max`; absent it is the fallback, if there is one */
export function numberIn(request: S3Request, name: string, least: number, max: number, fallback?: number): number {
  const given = queryValue(request, name);
  if (given === undefined && fallback !== undefined) return fallback;
  const number = /^\d{1,10}$/.test(given ?? '') ? Number(given) : Number.NaN;
  if (!(number >= least && number <= max)) throw invalidArgument(`${name} must be an integer between ${least} and ${max}, inclusive`);
  return number;
}

function readQuery(text: string): [string, string][] {
  const parts = text === '' ? [] : text.split('&').filter((part) => part !== '');
  return parts.map((part) => {
    const [name = '', ...value] = part.split('=');
    return [decode(name), decode(value.join('='))];
  });
}

const readHeaders = ({ headersDistinct }: IncomingMessage) =>
  new Map(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(',')]));

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
}
