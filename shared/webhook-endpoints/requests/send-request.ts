import { request as createRequest } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Settings } from '../../config.ts';
import type { AttemptError, AttemptOutcome } from '../deliveries/delivery.ts';
import { isEndpointUrl } from '../endpoints/endpoint-url.ts';
import { isPublicAddress } from './public-address.ts';
import { createResolveName, type ResolveName } from './resolve-name.ts';

export interface OutgoingRequest {
  headers: Readonly<Record<string, string>>;
  body: string;
}

export type SendRequest = (url: string, request: OutgoingRequest) => Promise<AttemptOutcome>;

const userAgent = 'License-Service-Events/1';
/** All of the reply: its status line, its headers and its body. */
const maxReplyBytes = 64 * 1024;
const maxHeaderBytes = 16 * 1024;

interface Connection {
  socket: Socket;
  /** The error if the request breaks off at this stage. */
  failsAs(): AttemptError;
  close(): void;
}

class AttemptFailure extends Error {
  readonly outcome: AttemptOutcome;
  constructor(error: AttemptError, statusCode?: number) {
    super(error);
    this.outcome = { error, ...(statusCode !== undefined && { statusCode }) };
  }
}

/**
 * Posts to receivers that nobody vouches for. It never throws: whatever the receiver, its name or the way to it do is
 * the outcome of this attempt. Every address of the name must be public, and the connection goes to one that was
 * looked at; redirects are not followed. From the name to the end of the reply it takes `deadlineMs` at most, and of
 * a longer reply than 64 KiB the status alone counts. See "The request" in shared/webhook-endpoints/request.md
 */
export function createSendRequest(options: {
  stage: Settings['STAGE'];
  /** The service's own address, to which nothing is sent. */
  publicBaseUrl?: string;
  resolveName?: ResolveName;
  connect?: (port: number, address: string) => Socket;
  /** Certificates to trust instead of the default ones. */
  ca?: string;
  deadlineMs?: number;
}): SendRequest {
  const { stage, publicBaseUrl, resolveName = createResolveName(), connect = connectTcp, ca, deadlineMs = 10_000 } = options;

  async function addressOf({ protocol, hostname }: URL, signal: AbortSignal): Promise<string> {
    if (protocol === 'http:') return hostname;
    const addresses = await resolveName(hostname, signal).catch(() => []);
    const [address] = addresses;
    if (address === undefined) throw new AttemptFailure('name_not_resolved');
    if (!addresses.every(isPublicAddress)) throw new AttemptFailure('address_not_public');
    return address;
  }

  function open({ protocol, hostname, port }: URL, address: string): Connection {
    const isSecure = protocol === 'https:';
    const tcp = connect(Number(port || (isSecure ? 443 : 80)), address);
    if (!isSecure) return { socket: tcp, failsAs: () => 'connection_failed', close: () => tcp.destroy() };
    const socket = connectTls({ socket: tcp, servername: hostname, rejectUnauthorized: true, ...(ca && { ca }) });
    let isHandshaking = false;
    tcp.once('connect', () => {
      isHandshaking = true;
    });
    socket.once('secureConnect', () => {
      isHandshaking = false;
    });
    tcp.on('error', (error) => socket.destroy(error));
    const close = () => {
      socket.destroy();
      tcp.destroy();
    };
    return { socket, failsAs: () => (isHandshaking ? 'tls_failed' : 'connection_failed'), close };
  }

  return async (target, outgoing) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), deadlineMs);
    let connection: Connection | undefined;
    try {
      const url = URL.parse(target);
      if (!url || !isEndpointUrl(target, stage, publicBaseUrl)) throw new AttemptFailure('url_not_allowed');
      const address = await untilAborted(addressOf(url, deadline.signal), deadline.signal);
      connection = open(url, address);
      return outcomeOf(await untilAborted(post(connection, url, outgoing), deadline.signal));
    } catch (error) {
      if (error instanceof AttemptFailure) return error.outcome;
      throw error;
    } finally {
      clearTimeout(timer);
      connection?.close();
    }
  };
}

/** The status of the reply, once all of it came or as much as is read. */
function post({ socket, failsAs }: Connection, { host, pathname, search }: URL, { headers, body }: OutgoingRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    let statusCode: number | undefined;
    let bytes = 0;
    const settle = () => (statusCode === undefined ? reject(new AttemptFailure('reply_malformed')) : resolve(statusCode));
    const fail = (error: Error) => reject(new AttemptFailure(isOfParser(error) ? 'reply_malformed' : failsAs()));
    socket.on('error', fail);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxReplyBytes) settle();
    });
    const request = createRequest({
      method: 'POST',
      path: `${pathname}${search}`,
      headers: {
        ...headers,
        host,
        'user-agent': userAgent,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
      maxHeaderSize: maxHeaderBytes,
      // Without an agent there is neither a proxy of the environment nor a connection that is used again.
      createConnection: () => socket,
    });
    request.on('error', fail);
    // A protocol upgrade is not a reply; without this it would be awaited.
    request.once('upgrade', settle);
    request.once('response', (response) => {
      statusCode = response.statusCode;
      response.on('error', fail);
      response.once('end', settle);
      response.resume();
    });
    request.end(body);
  });
}

const isOfParser = (error: Error) => 'code' in error && String(error.code).startsWith('HPE_');

function outcomeOf(statusCode: number): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return { statusCode };
  return { statusCode, error: statusCode >= 300 && statusCode < 400 ? 'redirected' : 'status' };
}

/** Whatever the work itself does about the signal, nobody waits for it longer. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new AttemptFailure('timeout')), { once: true });
    work.then(resolve, reject);
  });
}
