import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Settings } from '../../config.ts';

/** What every function with endpoints names in its `declaration.ts` besides its own settings. */
export const callerSettings = ['ORIGIN_SECRET', 'ORIGIN_REQUIRED', 'CALLER_HASH_KEY'] as const;

/** The options by which `createHandler` identifies callers. */
export const callerOptions = (settings: Pick<Settings, (typeof callerSettings)[number]>) => ({
  originSecret: settings.ORIGIN_SECRET,
  originRequired: settings.ORIGIN_REQUIRED !== undefined,
  callerHashKey: settings.CALLER_HASH_KEY,
});

/**
 * The caller's address: the source address of the gateway, which no header can change.
 *
 * Behind the CDN that is the CDN's own address. The CDN then names its viewer in
 * `CloudFront-Viewer-Address` (`address:port`) or else in `True-Client-IP`, which count
 * only together with its secret. See "Caller address" in shared/http/callers.md.
 */
export function callerAddress(event: APIGatewayProxyEventV2, originSecret: string | undefined): string {
  const { sourceIp } = event.requestContext.http;
  if (!isFromCdn(event, originSecret)) return sourceIp;
  const { 'cloudfront-viewer-address': viewer, 'true-client-ip': client = '' } = event.headers;
  const address = /^(?:\[([\da-f:.]+)\]|([\da-f:.]+)):\d+$/i.exec(viewer ?? '');
  const found = viewer === undefined ? client : (address?.[1] ?? address?.[2] ?? '');
  return isIP(found) === 0 ? sourceIp : found;
}

/** Whether `X-Origin-Secret` holds a secret of ORIGIN_SECRET, which the CDN alone knows. */
export function isFromCdn({ headers }: Pick<APIGatewayProxyEventV2, 'headers'>, originSecret: string | undefined): boolean {
  const presented = headers['x-origin-secret'];
  if (originSecret === undefined || presented === undefined) return false;
  return secretsIn(presented).some((secret) => secretsIn(originSecret).some((known) => isSame(secret, known)));
}

/** A list, of which each has a length that cannot be guessed and none is repeated; any other text is one secret. */
function secretsIn(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  const isList = items.every((item) => item.length >= 16) && new Set(items).size === items.length;
  return isList ? items : [text];
}

/**
 * The pseudonym of a caller in the log: the same in all functions and for every address of one subscriber; the address
 * cannot be derived from it without the key.
 */
export function callerHash(address: string, key: string): string {
  return createHmac('sha256', key).update(subscriberName(address)).digest('base64url').slice(0, 22);
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/** One subscriber has one IPv4 address, or one /64 of IPv6. */
export function subscriberName(address: string): string {
  return subscribersBehind(address)[0].name;
}

/** Those who share a limit with others behind the same address, narrowest first. */
export interface Subscriber {
  name: string;
  /** How many of its kind one limit is meant for. */
  width: number;
}

/**
 * The subscribers that an address counts towards: an IPv4 address itself, in any notation; for IPv6 its /64 and, with
 * 16 times the limit, its /48, which one subscriber may own. Anything else counts as itself.
 */
export function subscribersBehind(address: string): [Subscriber, ...Subscriber[]] {
  const groups = groupsOf(address);
  if (groups === undefined) return [{ name: address, width: 1 }];
  const [, , , , , sixth, high = 0, low = 0] = groups;
  if (groups.slice(0, 5).every((group) => group === 0) && sixth === 0xffff) {
    return [{ name: [high >> 8, high % 256, low >> 8, low % 256].join('.'), width: 1 }];
  }
  const prefix = (count: number) => groups.slice(0, count).map((group) => group.toString(16));
  return [
    { name: prefix(4).join(':'), width: 1 },
    { name: `${prefix(3).join(':')}/48`, width: 16 },
  ];
}

/** The eight groups of an IPv6 address; undefined for anything else. */
function groupsOf(address: string): number[] | undefined {
  if (isIP(address) !== 6) return undefined;
  // An IPv4 address at the end takes two groups; what `::` leaves out is zeros; a zone is no part of the address.
  const hexadecimal = address
    .replace(/%.*$/, '')
    .replace(
      /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
      (_, ...bytes: string[]) => `${groupOfBytes(bytes[0], bytes[1])}:${groupOfBytes(bytes[2], bytes[3])}`,
    );
  const [head = [], tail = []] = hexadecimal.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

const groupOfBytes = (high = '', low = '') => (Number(high) * 256 + Number(low)).toString(16);
