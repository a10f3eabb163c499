import type { IncomingMessage } from 'node:http';
import { HttpRequest } from '@smithy/core/protocols';
import { isThrottlingError, isTransientError, StandardRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { SdkError } from '@smithy/types';
import { Sha256 } from './sha256.ts';

/** An AWS service of the JSON protocol: what its requests are named and typed by. */
export interface JsonService {
  /** As in the names of its hosts, and in signatures. */
  name: string;
  /** What stands before the operation in `X-Amz-Target`. */
  target: string;
  contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1';
  /** The environment variable that names another endpoint, as for the SDK. */
  endpointVariable: string;
}

/** Of each attempt, in milliseconds, and how many there are. */
export interface RequestLimits {
  maxAttempts: number;
  connectionTimeout: number;
  requestTimeout: number;
}

/** Makes one request, and resolves to what it is answered. @throws RefusedRequest, or what the network throws */
export type SendSigned<Answer> = (operation: string, request: object) => Promise<Answer>;

/** A service refused a request: `name` is its code. */
export class RequestRefusedError extends Error {
  /** The whole answer, as it came. */
  readonly body: string;
  readonly $metadata: { httpStatusCode: number; clockSkewCorrected?: true };
  constructor(name: string, message: string, body: string, httpStatusCode: number) {
    super(message);
    this.name = name;
    this.body = body;
    this.$metadata = { httpStatusCode };
  }
}

/** A signature is refused five minutes before and after its time, in milliseconds. */
const skewNoticed = 4 * 60_000;

/** DynamoDB may be asked again soon. */
const baseDelay = 25;

/**
 * Signed requests over kept connections, made of the SDK's own parts: its signer, its connections, and its retries with
 * jitter. Credentials are read from the environment for each request. A clock that is wrong is corrected by the time in
 * the service's replies. See "Two clients" in shared/db/reads.md
 */
export function createSignedClient<Answer>(service: JsonService, limits: RequestLimits): SendSigned<Answer> {
  const region = readRegion();
  const endpoint = new URL(endpointOf(service, region));
  const { maxAttempts, ...timeouts } = limits;
  // A reply that stalls midway times out like one that never starts.
  const http = new NodeHttpHandler({ ...timeouts, socketTimeout: limits.requestTimeout, throwOnRequestTimeout: true });
  const signer = new SignatureV4({ service: service.name, region, credentials: readCredentials, sha256: Sha256, applyChecksum: false });
  const retries = new StandardRetryStrategy({ maxAttempts, baseDelay });
  let clockOffset = 0;

  async function attempt(operation: string, body: string): Promise<Answer> {
    const request = new HttpRequest({
      method: 'POST',
      protocol: endpoint.protocol,
      hostname: endpoint.hostname,
      ...(endpoint.port !== '' && { port: Number(endpoint.port) }),
      path: '/',
      headers: {
        host: endpoint.host,
        'content-type': service.contentType,
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `${service.target}.${operation}`,
      },
      body,
    });
    const signingDate = new Date(Date.now() + clockOffset);
    const { response } = await http.handle(HttpRequest.clone(await signer.sign(request, { signingDate })));
    const text = await textOf(response.body);
    if (response.statusCode < 300) return JSON.parse(text);
    const refused = refusedBy(text, response.statusCode);
    const offset = Date.parse(response.headers['date'] ?? '') - Date.now();
    if (Math.abs(offset - clockOffset) > skewNoticed) {
      clockOffset = offset;
      refused.$metadata.clockSkewCorrected = true;
    }
    throw refused;
  }

  return async (operation, request) => {
    const body = JSON.stringify(request);
    let token = await retries.acquireInitialRetryToken('');
    for (;;) {
      try {
        const answer = await attempt(operation, body);
        retries.recordSuccess(token);
        return answer;
      } catch (error) {
        const errorType = retryTypeOf(error);
        if (errorType === undefined) throw error;
        const next = await retries.refreshRetryTokenForRetry(token, { errorType }).catch(() => undefined);
        if (next === undefined) throw error;
        token = next;
      }
    }
  };
}

function retryTypeOf(error: unknown): 'THROTTLING' | 'TRANSIENT' | undefined {
  if (!isSdkError(error)) return undefined;
  return isThrottlingError(error) ? 'THROTTLING' : isTransientError(error) ? 'TRANSIENT' : undefined;
}

const isSdkError = (error: unknown): error is SdkError => error instanceof Error;

/** The endpoint that the SDK would use, except for dual-stack and FIPS endpoints. */
export function endpointOf({ name, endpointVariable }: Pick<JsonService, 'name' | 'endpointVariable'>, region: string): string {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return process.env[endpointVariable] ?? process.env['AWS_ENDPOINT_URL'] ?? `https://${name}.${region}.${suffix}`;
}

export const readRegion = () => process.env['AWS_REGION'] ?? '';

/** In Lambda they are always there. */
export async function readCredentials() {
  const sessionToken = process.env['AWS_SESSION_TOKEN'];
  return {
    accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
    ...(sessionToken !== undefined && { sessionToken }),
  };
}

const textOf = (body: IncomingMessage) =>
  new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.on('end', () => resolve(Buffer.concat(chunks).toString()));
    body.on('error', reject);
  });

function refusedBy(text: string, status: number): RequestRefusedError {
  const { __type = 'UnknownError', message, Message } = jsonOf(text);
  const name = __type.slice(__type.indexOf('#') + 1);
  return new RequestRefusedError(name, message ?? Message ?? name, text, status);
}

/** A proxy in between may reply in another format. */
function jsonOf(text: string): { __type?: string; message?: string; Message?: string } {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}
