import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { AppError } from '../errors.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import type { Identity } from './callers/authenticate.ts';
import type { JsonBodyKind, RawRequest } from './endpoint.ts';
import { ignoredFieldsOf } from './ignored-fields.ts';

/** A gateway event in the pipeline, with what its checks have established so far. */
export interface Call extends APIGatewayProxyEventV2 {
  readonly raw: RawRequest;
  /** The body: parsed, and then as the endpoint's schema makes it. */
  input: unknown;
  identity: Identity;
  /** What the reply says of members of the body, or of parameters of a read, that the endpoint does not know. */
  ignoredFields?: string | undefined;
}

export const maxJsonBytes = 256 * 1024;
export const maxMultipartBytes = 4 * 1024 * 1024;
const maxDepth = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const jsonType = /^application\/([\w.+-]+\+)?json\s*(?:;|$)/i;

/** The request as it came. Its bytes are made when they are asked for: most bodies come as text, and stay it. */
export function rawRequestOf({ headers, body: text = '', isBase64Encoded }: APIGatewayProxyEventV2): RawRequest {
  let bytes: Buffer | undefined;
  return {
    headers,
    text: isBase64Encoded ? undefined : text,
    get body() {
      bytes ??= Buffer.from(text, isBase64Encoded ? 'base64' : 'utf8');
      return bytes;
    },
  };
}

const sizeOf = (raw: RawRequest) => (raw.text === undefined ? raw.body.length : Buffer.byteLength(raw.text));

/** @throws AppError payload_too_large */
export function checkSize(raw: RawRequest, max: number): void {
  if (sizeOf(raw) > max) {
    throw new AppError('payload_too_large', `The body is over ${max} bytes.`);
  }
}

/**
 * Takes the JSON object out of the body. Of duplicate keys the last counts;
 * names such as `__proto__` are names like others. With `known`, notes those that are not among them.
 *
 * @throws AppError unsupported_media_type, invalid_json, invalid_request
 */
export function parseJson({ bodyKind, known }: { bodyKind: JsonBodyKind; known?: ReadonlySet<string> | undefined }): MiddlewareObj<Call> {
  const parser = httpJsonBodyParser<Call>({ disableContentTypeCheck: true });
  return {
    before(request) {
      const call = request.event;
      const text = textOf(call, bodyKind);
      checkNesting(text);
      Object.assign(call, { body: text, isBase64Encoded: false });
      try {
        parser.before?.(request);
        call.input = call.body;
      } catch {
        call.input = parseWithAnyName(text);
      }
      checkTexts(call.input);
      if (call.input === null || typeof call.input !== 'object' || Array.isArray(call.input)) {
        throw invalidField('body', rules.notJsonObject);
      }
      if (known) call.ignoredFields = ignoredFieldsOf(text, known);
    },
  };
}

function textOf({ headers, raw }: Call, bodyKind: JsonBodyKind): string {
  const type = jsonType.exec(headers['content-type'] ?? '');
  const isIgnored = bodyKind === 'json-if-sent' && (!type || type[1] !== undefined);
  if (isIgnored || sizeOf(raw) === 0) {
    if (bodyKind !== 'json') return '{}';
    throw new AppError('invalid_json', 'The body is missing.');
  }
  if (!type) {
    throw new AppError('unsupported_media_type', 'The content type must be application/json.');
  }
  if (raw.text !== undefined) return raw.text.replace(/^\ufeff/, '');
  try {
    return utf8.decode(raw.body);
  } catch {
    throw new AppError('invalid_json');
  }
}

/** The parser takes nothing with names that could change a prototype. As own members they cannot, and are names like others. */
function parseWithAnyName(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_json');
  }
}

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const opening = new Set(['[', '{'].map((bracket) => bracket.charCodeAt(0)));
const closing = new Set([']', '}'].map((bracket) => bracket.charCodeAt(0)));

/** Looks at the text, because parsing a deep one could exhaust the stack. */
function checkNesting(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const symbol = text.charCodeAt(at);
    if (inString && symbol === backslash) at += 1;
    else if (symbol === quote) inString = !inString;
    else if (inString) continue;
    else if (opening.has(symbol)) depth += 1;
    else if (closing.has(symbol)) depth -= 1;
    if (depth > maxDepth) throw invalidField('body', rules.nestedTooDeep, { max: maxDepth });
  }
}

/** Refuses NUL and lone surrogates in every name and value. */
function checkTexts(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw invalidField('body', rules.holdsBrokenText);
    }
  } else if (Array.isArray(value)) {
    for (const element of value) checkTexts(element);
  } else if (value !== null && typeof value === 'object') {
    for (const [name, field] of Object.entries(value)) {
      checkTexts(name);
      checkTexts(field);
    }
  }
}
