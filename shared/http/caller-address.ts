import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * The caller's address: the source address of the gateway, which no header can change.
 *
 * Behind the CDN that is the CDN's own address. The CDN then sends `X-Origin-Secret`
 * (the setting ORIGIN_SECRET) and `CloudFront-Viewer-Address` (`address:port`), and the
 * latter counts only together with the former. See "Caller address" in README.md.
 */
export function callerAddress(event: APIGatewayProxyEventV2, originSecret: string | undefined): string {
  const { sourceIp } = event.requestContext.http;
  const { 'x-origin-secret': presented, 'cloudfront-viewer-address': viewer } = event.headers;
  if (originSecret === undefined || presented === undefined || !isSame(presented, originSecret)) return sourceIp;
  const address = /^(?:\[([\da-f:.]+)\]|([\da-f:.]+)):\d+$/i.exec(viewer ?? '');
  const found = address?.[1] ?? address?.[2] ?? '';
  return isIP(found) === 0 ? sourceIp : found;
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/** One subscriber has one IPv4 address, or one /64 of IPv6. */
export function subscriberOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (isIP(address) !== 6) return address;
  // What follows `::` fills the end of eight groups; an IPv4 address at the end takes two of them.
  const [head = '', tail = ''] = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0');
  const full = [...groups(head), ...zeros, ...groups(tail)];
  return full
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
