import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from '../../../shared/webhook-endpoints/requests/public-address.ts';

/** Each range with its first and last address, and those beside it that are public, if they are. */
const ranges: readonly [string, readonly string[], readonly string[]][] = [
  ['this network', ['0.0.0.0', '0.255.255.255'], ['1.0.0.0']],
  ['private 10/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
  ['carrier-grade NAT', ['100.64.0.0', '100.127.255.255'], ['100.63.255.255', '100.128.0.0']],
  ['loopback', ['127.0.0.0', '127.0.0.1', '127.255.255.255'], ['126.255.255.255', '128.0.0.0']],
  ['link-local', ['169.254.0.0', '169.254.169.254', '169.254.255.255'], ['169.253.255.255', '169.255.0.0']],
  ['private 172.16/12', ['172.16.0.0', '172.31.255.255'], ['172.15.255.255', '172.32.0.0']],
  ['protocol assignments', ['192.0.0.0', '192.0.0.255'], ['191.255.255.255', '192.0.1.0']],
  ['documentation 1', ['192.0.2.0', '192.0.2.255'], ['192.0.1.255', '192.0.3.0']],
  ['6to4 relays', ['192.88.99.0', '192.88.99.255'], ['192.88.98.255', '192.88.100.0']],
  ['private 192.168/16', ['192.168.0.0', '192.168.255.255'], ['192.167.255.255', '192.169.0.0']],
  ['benchmarking', ['198.18.0.0', '198.19.255.255'], ['198.17.255.255', '198.20.0.0']],
  ['documentation 2', ['198.51.100.0', '198.51.100.255'], ['198.51.99.255', '198.51.101.0']],
  ['documentation 3', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
  ['multicast', ['224.0.0.0', '239.255.255.255'], ['223.255.255.255']],
  ['reserved and broadcast', ['240.0.0.0', '255.255.255.254', '255.255.255.255'], []],
  ['below what is given out of IPv6', ['::', '::1', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['above what is given out of IPv6', ['4000::', '5f00::1'], []],
  ['IPv4-mapped', ['::ffff:0.0.0.0', '::ffff:8.8.8.8', '::ffff:808:808', '::ffff:255.255.255.255'], []],
  ['IPv4-compatible', ['::8.8.8.8', '::127.0.0.1'], []],
  ['IPv4-translated', ['::ffff:0:8.8.8.8', '::ffff:0:7f00:1'], []],
  ['NAT64', ['64:ff9b::8.8.8.8', '64:ff9b::7f00:1', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'], []],
  ['discard only', ['100::', '100::ffff:ffff:ffff:ffff'], []],
  ['Teredo', ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['protocol assignments of IPv6', ['2001:1::1', '2001:2::', '2001:10::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'], ['2001:200::']],
  ['documentation of IPv6', ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'], ['2001:db7:ffff::', '2001:db9::']],
  ['6to4', ['2002::', '2002:7f00:1::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], ['2001:ffff::', '2003::']],
  ['documentation of IPv6, the longer', ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'], ['3ffe:ffff::', '3fff:1000::']],
  ['unique-local', ['fc00::', 'fd00:ec2::254', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['link-local of IPv6', ['fe80::', 'fe80::1%eth0', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['site-local', ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['multicast of IPv6', ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
];

describe('an address is public', () => {
  test.each(ranges)('unless it is of a range with a purpose, to its very edges: %s', (_, inside, beside) => {
    expect(inside.filter(isPublicAddress)).toEqual([]);
    expect(beside.filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  test.each(['8.8.8.8', '93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '2000::', '3fff:1000::'])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test('and written as addresses are', () => {
    const numbers = ['', '8.8.8', '134744072', '0x08080808', '010.8.8.8', '8.8.8.8 '];
    const others = ['localhost', '8.8.8.8%eth0', '2606:2800::1%eth0', '[2606:2800::1]'];
    expect([...numbers, ...others].filter(isPublicAddress)).toEqual([]);
  });
});
