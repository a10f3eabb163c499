import { describe, expect, test } from '@jest/globals';
import { checkExchange, type Exchange } from '../support/interface/conformance.ts';

const reply = { valid: true, code: 'valid', checked_at: '2026-01-31T09:00:00.000Z' };
const validate: Exchange = {
  method: 'POST',
  target: '/v1/licenses/validate',
  requestHeaders: { 'content-type': 'application/json' },
  requestBody: Buffer.from('{"product_id":"prd_1","license_key":"LIC1-1"}'),
  status: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': 'r1' },
  body: JSON.stringify(reply),
};
const notModified = { ...validate.headers, etag: '"1"', 'cache-control': 'no-cache' };
const refusal: Exchange = { ...validate, status: 400, body: '{"code":"invalid_json","message":"No.","request_id":"r1"}' };

describe('the check of an exchange against the description', () => {
  test.each<[string, Partial<Exchange>]>([
    ['a described reply', validate],
    ['a described error', refusal],
    ['unknown fields of a request', { requestBody: Buffer.from('{"product_id":"prd_1","license_key":"LIC1-1","later":1}') }],
    ['a malformed request that is refused', { ...refusal, requestBody: Buffer.from('{') }],
    ['an unknown route', { target: '/v1/nothing', status: 404, body: '{"code":"route_not_found","message":"No."}' }],
    ['a preflight', { method: 'OPTIONS', status: 204, body: '' }],
  ])('passes %s', (_, change) => {
    expect(() => checkExchange({ ...validate, ...change })).not.toThrow();
  });

  test.each<[string, Partial<Exchange>]>([
    ['a status', { status: 418 }],
    ['a field', { body: JSON.stringify({ ...reply, buyer_email: 'a@example.com' }) }],
    ['a value', { body: JSON.stringify({ ...reply, code: 'fine' }) }],
    ['a time without milliseconds', { body: JSON.stringify({ ...reply, checked_at: '2026-01-31T09:00:00Z' }) }],
    ['a reply without a required field', { body: '{"valid":true,"code":"valid"}' }],
    ['a reply without X-Request-Id', { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } }],
    ['a content type', { headers: { 'content-type': 'text/plain', 'cache-control': 'no-store', 'x-request-id': 'r1' } }],
    ['an error code at another endpoint’s', { ...refusal, body: '{"code":"invalid_csv","message":"No.","request_id":"r1"}' }],
    ['a field of an error', { ...refusal, body: '{"code":"invalid_json","message":"No.","request_id":"r1","stack":"x"}' }],
    ['a request id that differs from the header', { ...refusal, body: '{"code":"invalid_json","message":"No.","request_id":"r2"}' }],
    ['a granted body', { requestBody: Buffer.from('{"product_id":5,"license_key":"LIC1-1"}') }],
    ['a granted parameter', { method: 'GET', target: '/v1/products?limit=1000', body: '{"items":[]}' }],
    ['an answered unknown route', { target: '/v1/nothing', status: 200 }],
    ['a body where none is', { method: 'GET', target: '/v1/public/products/x', status: 304, body: 'x', headers: notModified }],
  ])('fails %s that is not described', (_, change) => {
    expect(() => checkExchange({ ...validate, ...change })).toThrow(/does not conform|is not described/);
  });
});
