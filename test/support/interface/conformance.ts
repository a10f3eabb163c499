import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { expect } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createRouteTable, defaultRouteKey } from '../../../infra/local/gateway/route-table.ts';
import { readDocument } from './read-document.ts';

/** A request and its reply, as they went over the wire. */
export interface Exchange {
  method: string;
  /** Path and query. */
  target: string;
  /** By lower-case name. */
  requestHeaders: Record<string, string | undefined>;
  requestBody: Uint8Array;
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | undefined>;
  body: string;
}

type Json = any;

interface Conformance {
  operationOf(method: string, path: string): { operation: Json; key: string } | undefined;
  /** Why `value` is not what the schema at this place of the description says; undefined when it is. */
  faultOfReply(pointer: string, value: unknown): string | undefined;
  faultOfRequest(pointer: string, value: unknown): string | undefined;
}

let loaded: Conformance | undefined;
const exercised = new Set<string>();

/**
 * Checks an exchange against the description of the interface, both ways, and notes which
 * documented status which test exercised.
 *
 * A reply must have a documented status, its headers, its content type and a body
 * of exactly its shape; a request that was granted must be one the description allows.
 *
 * @throws Error naming the endpoint and what is not described.
 */
export function checkExchange(exchange: Exchange): void {
  const { method, target, status } = exchange;
  if (method === 'OPTIONS') return;
  loaded ??= loadConformance();
  const path = target.split('?')[0] ?? '';
  const byGet = method === 'HEAD' ? loaded.operationOf('GET', path) : undefined;
  if (byGet) {
    // What has no body is for HEAD alone.
    const { responses, operationId } = byGet.operation;
    if (responses[String(status)] && !responses[String(status)].content) remember(`${operationId} ${status}`);
    return;
  }
  const found = loaded.operationOf(method, path);
  if (!found) {
    const { pathname: moved = '' } = URL.parse(exchange.headers['location'] ?? '', 'https://own.test') ?? {};
    const isMoved = status === 308 && loaded.operationOf(method, moved) !== undefined;
    if (path.startsWith('/v1/') && !isMoved) checkUnknownRoute(exchange);
    return;
  }
  const { operation, key } = found;
  const response = operation.responses[String(status)];
  const faults = response
    ? [...faultsOfHeaders(exchange, response), ...faultsOfBody(exchange, response, `${key}/responses/${status}`, loaded)]
    : [`The status ${status} is not described: ${exchange.body.slice(0, 200)}`];
  if (status < 400) faults.push(...faultsOfRequest(exchange, operation, key, loaded));
  if (faults.length > 0) throw new Error(`${method} ${target} does not conform to the description.\n${faults.join('\n')}`);
  remember(`${operation.operationId} ${status}`);
}

/** `fetch` for tests against a running service: every exchange is checked. */
export async function conformingFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const request = new Request(url, init);
  const requestBody = new Uint8Array(await request.clone().arrayBuffer());
  const response = await fetch(request);
  const { pathname, search } = new URL(request.url);
  checkExchange({
    method: request.method,
    target: pathname + search,
    requestHeaders: Object.fromEntries(request.headers),
    requestBody,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.clone().text(),
  });
  return response;
}

function checkUnknownRoute({ method, target, status, body }: Exchange): void {
  const { code } = parsed(body) ?? {};
  if (status !== 404 || code !== 'route_not_found') {
    throw new Error(`${method} ${target} is not described, but was answered ${status}.`);
  }
}

/** Sent only where there is something to name. */
const ifAnything = 'X-Ignored-Fields';

function faultsOfHeaders({ status, headers, requestHeaders, body }: Exchange, response: Json): string[] {
  const described = Object.keys(response.headers ?? {});
  const missing = described.filter((name) => name !== ifAnything && headers[name.toLowerCase()] === undefined);
  const faults = missing.map((name) => `The header ${name} is missing.`);
  if (status < 400 && headers[ifAnything.toLowerCase()] !== undefined && !described.includes(ifAnything)) {
    faults.push(`${ifAnything} is not described.`);
  }
  const retryAfter = headers['retry-after'];
  if (retryAfter !== undefined && !/^[1-9]\d*$/.test(retryAfter)) faults.push(`Retry-After is ${retryAfter}.`);
  const error = parsed(body);
  if (error?.request_id !== undefined && error.request_id !== headers['x-request-id']) {
    faults.push('request_id differs from X-Request-Id.');
  }
  const corsIsDue = requestHeaders['origin'] !== undefined && headers['access-control-allow-origin'] !== undefined;
  if (corsIsDue && !headers['access-control-expose-headers']?.includes('X-Request-Id')) faults.push('X-Request-Id is not exposed.');
  return faults;
}

function faultsOfBody({ headers, body }: Exchange, response: Json, pointer: string, { faultOfReply }: Conformance): string[] {
  const described = Object.keys(response.content ?? {});
  if (described.length === 0) return body === '' ? [] : ['A body is not described.'];
  const type = headers['content-type']?.split(';')[0] ?? '';
  if (!described.includes(type)) return [`The content type is ${type}, described is ${described.join(', ')}.`];
  if (type !== 'application/json') return [];
  const fault = faultOfReply(`${pointer}/content/${escaped(type)}/schema`, parsed(body));
  return fault === undefined ? [] : [`The body: ${fault}`];
}

function faultsOfRequest(exchange: Exchange, operation: Json, key: string, { faultOfRequest }: Conformance): string[] {
  const query = new URLSearchParams(exchange.target.split('?')[1]);
  const parameters = (operation.parameters ?? []).flatMap((parameter: Json, index: number) => {
    const value = parameter.in === 'query' ? query.get(parameter.name) : undefined;
    if (value === undefined || value === null)
      return parameter.in === 'query' && parameter.required ? [`${parameter.name} is missing.`] : [];
    const typed = parameter.schema.type === 'integer' ? Number(value) : value;
    const fault = faultOfRequest(`${key}/parameters/${index}/schema`, typed);
    return fault === undefined ? [] : [`The granted parameter ${parameter.name}: ${fault}`];
  });
  const isJson = 'application/json' in (operation.requestBody?.content ?? {});
  const { 'content-type': sent = '' } = exchange.requestHeaders;
  // What need not be sent is read where it is sent as what is described.
  const isIgnored = !operation.requestBody?.required && !/\bjson\b/i.test(sent);
  if (!isJson || isIgnored || (exchange.requestBody.length === 0 && !operation.requestBody.required)) return parameters;
  const body = parsed(new TextDecoder().decode(exchange.requestBody));
  const fault = faultOfRequest(`${key}/requestBody/content/${escaped('application/json')}/schema`, body);
  return fault === undefined ? parameters : [...parameters, `The granted body: ${fault}`];
}

/** Benchmarks call endpoints too, without a runner. */
const runner = globalThis as { expect?: typeof expect };

function remember(status: string): void {
  const record = process.env['CONFORMANCE_RECORD'];
  const { testPath = '', currentTestName = '' } = runner.expect?.getState() ?? {};
  const ofFile = `${testPath} ${status}`;
  if (record === undefined || exercised.has(ofFile)) return;
  exercised.add(ofFile);
  const line = [status, relative(process.cwd(), testPath), currentTestName.replaceAll(/\s+/g, ' ')].join('\t');
  appendFileSync(join(record, `${process.pid}.txt`), `${line}\n`);
}

function loadConformance(): Conformance {
  const document = readDocument();
  const routeKeys = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const match = createRouteTable(routeKeys);
  const replies = createValidator(closed(document), 'replies');
  const requests = createValidator(document, 'requests');
  return {
    operationOf(method, path) {
      const { routeKey } = match(method, path);
      if (routeKey === defaultRouteKey) return undefined;
      const [verb = '', template = ''] = routeKey.split(' ');
      const key = `/paths/${escaped(template)}/${verb.toLowerCase()}`;
      return { operation: document.paths[template][verb.toLowerCase()], key };
    },
    faultOfReply: replies,
    faultOfRequest: requests,
  };
}

function createValidator(document: Json, id: string) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  // What a buyer types is folded before it is taken for an address.
  if (id === 'requests') ajv.addFormat('email', (typed: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed.normalize('NFKC').trim()));
  ajv.addSchema({ $id: id, ...document });
  const compiled = new Map<string, ValidateFunction>();
  return (pointer: string, value: unknown): string | undefined => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${id}#${pointer}` });
    compiled.set(pointer, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'value' });
  };
}

/** The description with every reply's objects closed: a field it does not name is a fault. Times must have milliseconds. */
function closed(schema: Json, partOfAll = false): Json {
  if (Array.isArray(schema)) return schema.map((element) => closed(element));
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.fromEntries(
    Object.entries<Json>(schema).map(([name, value]) => {
      if (name === 'enum' || name === 'examples' || name === 'example') return [name, value];
      return [name, name === 'allOf' ? value.map((part: Json) => closed(part, true)) : closed(value)];
    }),
  );
  const isOpenObject = inner['type'] === 'object' && inner['properties'] && inner['additionalProperties'] === undefined;
  if (isOpenObject && !partOfAll) inner['additionalProperties'] = false;
  if (inner['format'] === 'date-time') inner['pattern'] = '\\.\\d{3}Z$';
  return inner;
}

const escaped = (token: string) => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'));

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
