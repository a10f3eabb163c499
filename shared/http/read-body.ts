import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { AppError } from '../errors.ts';

export const maxJsonBytes = 256 * 1024;
export const maxMultipartBytes = 4 * 1024 * 1024;
const maxDepth = 32;

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The body's raw bytes. */
export function bytesOf(event: APIGatewayProxyEventV2): Buffer {
  return Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
}

/** @throws AppError payload_too_large */
export function limitSize(bytes: Buffer, max: number): void {
  if (bytes.length > max) {
    throw new AppError('payload_too_large', `The body is over ${max} bytes.`);
  }
}

/**
 * The JSON object in the body, within the bounds of decisions.md §1. Of duplicate keys
 * the last counts; keys such as `__proto__` are plain fields that no schema knows.
 *
 * @throws AppError unsupported_media_type, invalid_json, invalid_request
 */
export async function parseJson(event: APIGatewayProxyEventV2, bytes: Buffer, context: Context): Promise<object> {
  if (!jsonType.test(event.headers['content-type'] ?? '')) {
    throw new AppError('unsupported_media_type', 'The content type must be application/json.');
  }
  const value = await parse(event, bytes, context);
  checkValue(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new AppError('invalid_request', 'The body must be a JSON object.');
  }
  return value;
}

const parseBody = middy(async (event: { body: unknown }) => event.body).use(httpJsonBodyParser({ disableContentTypeCheck: true }));

async function parse(event: APIGatewayProxyEventV2, bytes: Buffer, context: Context): Promise<unknown> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // The parser refuses keys such as __proto__, which here are unknown fields, to be ignored like any other.
    return await parseBody({ ...event, body: text, isBase64Encoded: false }, context).catch(() => JSON.parse(text));
  } catch {
    throw new AppError('invalid_json');
  }
}

/** Refuses deep nesting, NUL and lone surrogates, without recursion. */
function checkValue(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') {
      checkText(value);
    } else if (value !== null && typeof value === 'object') {
      if (depth === maxDepth) {
        throw new AppError('invalid_request', `The body is nested deeper than ${maxDepth}.`);
      }
      for (const [name, field] of Object.entries(value)) {
        checkText(name);
        open.push({ value: field, depth: depth + 1 });
      }
    }
  }
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new AppError('invalid_request', 'The body holds a NUL character or half of a surrogate pair.');
  }
}
