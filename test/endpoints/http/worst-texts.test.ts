import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { codeName, wireName } from '../../../shared/wire.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { type ServedFunction, serveEveryFunction } from '../../support/http/every-function.ts';
import { httpEvent, type RequestOptions } from '../../support/http/http-event.ts';
import { addKnownTargets } from '../../support/http/known-targets.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';

/** What costs most to normalize, match, trim or hash, each as long as one asks for. */
const units = {
  'combining marks': '\u0315\u0300\u05ae\u0323',
  'a ligature that NFKC makes 18 characters of': '\ufdfa',
  'a letter and spaces': `x${' '.repeat(300)}`,
  dashes: '-',
  'domains without end': 'a.',
  'addresses cut short': `${'a'.repeat(60)}@${'a.'.repeat(60)}`,
  'surrogate pairs': '😀',
  'a letter that grows in lower case': 'İ',
  'mixed scripts': 'aа',
  'groups of a license key': 'AB1CD-',
  'quotes and commas': '",W/',
};
const texts = Object.entries(units);
/** Those that cost most at the largest size, where the others are refused by the same check. */
const worstTexts = texts.filter(([, unit]) => /\u0315|\ufdfa|^x +$|^a\.$|İ/.test(unit));
/** Those that cost most where a text is short enough to be normalized and matched. */
const allowedTexts = texts.filter(([, unit]) => !/^-$|İ|😀|aа/.test(unit));
/** Those that may stand in a header. */
const headerTexts = texts.filter(([, unit]) => /^[ -~]*$/.test(unit));
const repeated = (unit: string, length: number) =>
  unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .toWellFormed();
const ofCodePoints = (unit: string, length: number) => [...unit.repeat(Math.ceil(length / [...unit].length))].slice(0, length).join('');
const bytesWorth = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / Buffer.byteLength(JSON.stringify(unit).slice(1, -1))));

/** Nearly all of the 256 KiB that a body may have. */
const largestText = 252 * 1024;
/** Nearly all of the 4 MiB that an upload may have. */
const largestUpload = 4000 * 1024;
/** What the gateway lets through in headers and path together, other headers aside. */
const largestHeader = 8 * 1024;
const limitMs = 250;

const known: Record<string, string> = {};
const owner = { 'x-user-id': 'worst-owner' };
const newcomer = { 'x-user-id': 'worst-newcomer' };
const admin = { 'x-user-id': 'worst-admin', 'x-user-email': 'admin@example.com' };

interface Door {
  served: ServedFunction;
  endpoint: Endpoint<any>;
  /** The request that the documentation shows, to what exists here. */
  example: Record<string, unknown>;
}
const doors: Door[] = [];
const document = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8'));

function exampleOf({ method, path }: Endpoint<any>): Record<string, unknown> {
  const { requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {};
  const json = requestBody?.content['application/json'];
  const shown = json?.example ?? Object.values<any>(json?.examples ?? {})[0]?.value ?? {};
  return { ...shown, ...('product_id' in shown && { product_id: known['product_id'] }) };
}

const pathOf = (path: string, spoilt: string | undefined, text = '') =>
  path.replace(/\{(\w+)\+?\}/g, (_, name: string) => (name === spoilt ? text : encodeURIComponent(known[name] ?? 'x')));
const paramsOf = (path: string) => [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name);

interface Property {
  name: string;
  /** In code points; only texts have it. */
  maxLength: number | undefined;
  isList: boolean;
}

function propertiesOf(schema: Endpoint<any>['body']): Property[] {
  if (!schema) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, property]) => ({
    name: wireName(name),
    maxLength: typeof property === 'object' ? property.maxLength : undefined,
    isList: typeof property === 'object' && property.type === 'array',
  }));
}

/** Who may call; of sellers, both one that has a record and one that has none. */
const callersOf = ({ audience }: Endpoint<any>) => ({ anyone: [{}], seller: [newcomer, owner], admin: [admin] })[audience];

/** Sends a request and measures what it costs the thread on which all others wait; a second try forgives what else it did meanwhile. */
async function send({ served, endpoint }: Door, what: string, target: string, options: RequestOptions, change = (event: any) => event) {
  for (let tries = 1; ; tries += 1) {
    const event = change(httpEvent(served.routes, endpoint.method, target, options));
    const before = process.threadCpuUsage();
    const reply = await served.handler(event, {});
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    const name = `${endpoint.method} ${endpoint.path}: ${what}`;
    if (ms > limitMs && tries === 1) continue;
    expect({ name, tooSlow: ms > limitMs ? ms : false, failed: reply.statusCode === 500 }).toEqual({ name, tooSlow: false, failed: false });
    return { status: Number(reply.statusCode), name };
  }
}

// Only the processor's time counts: on a busy machine everything takes longer.
jest.setTimeout(120_000);

describe('the worst texts', () => {
  const environment = { ...process.env };

  beforeAll(async () => {
    const { table, tableName } = await createTestTable();
    jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
    Object.assign(known, await addKnownTargets(table, owner['x-user-id']));
    for (const served of await serveEveryFunction(tableName)) {
      for (const endpoint of served.endpoints) doors.push({ served, endpoint, example: exampleOf(endpoint) });
    }
    // What a first request loads and compiles is not the text's cost.
    for (const door of doors) {
      const options = { headers: callersOf(door.endpoint)[0] ?? {}, ...(door.endpoint.bodyKind === 'json' && { body: door.example }) };
      await door.served.handler(httpEvent(door.served.routes, door.endpoint.method, pathOf(door.endpoint.path, undefined), options), {});
    }
  });
  afterAll(() => {
    jest.restoreAllMocks();
    process.env = environment;
  });

  const doorsFor = (kind: 'json' | 'multipart') => doors.filter(({ endpoint }) => endpoint.bodyKind.endsWith(kind));
  /** Quickly too. */
  async function expectRefusal(door: Door, what: string, options: RequestOptions): Promise<void> {
    const { status, name } = await send(door, what, pathOf(door.endpoint.path, undefined), options);
    expect([name, status >= 400 && status < 500]).toEqual([name, true]);
  }

  test('of the largest size are refused quickly in every field of every JSON body, and of the length that it may have are answered so', async () => {
    let fields = 0;
    for (const door of doorsFor('json')) {
      const [caller = {}, ...known] = callersOf(door.endpoint);
      for (const { name, maxLength } of propertiesOf(door.endpoint.body)) {
        fields += 1;
        for (const [kind, unit] of worstTexts) {
          const body = { ...door.example, [name]: bytesWorth(unit, largestText) };
          await expectRefusal(door, `${name}, ${kind}`, { headers: caller, body });
        }
        for (const [kind, unit] of maxLength === undefined ? [] : allowedTexts) {
          const body = { ...door.example, [name]: ofCodePoints(unit, maxLength ?? 0) };
          await send(door, `${name}, allowed ${kind}`, pathOf(door.endpoint.path, undefined), { headers: known[0] ?? caller, body });
        }
      }
    }
    expect(fields).toBeGreaterThan(60);
  });

  test('are refused quickly as the elements of a list, however many, and as the names of fields', async () => {
    // What is not a field of its own is dealt with by what all endpoints have in common.
    const withList = doorsFor('json').filter(({ endpoint }) => propertiesOf(endpoint.body).some(({ isList }) => isList));
    expect(withList.length).toBeGreaterThan(1);
    const lists = [[bytesWorth('\u0315\u0300', largestText)], Array(80_000).fill(''), Array(60_000).fill('a'), Array(80_000).fill({})];
    for (const door of [...doorsFor('json').slice(0, 1), ...withList]) {
      const [headers = {}] = callersOf(door.endpoint);
      for (const { name } of propertiesOf(door.endpoint.body).filter(({ isList }, index) => isList || index === 0)) {
        for (const list of lists) await expectRefusal(door, `${name}, a list`, { headers, body: { ...door.example, [name]: list } });
      }
      for (const field of ['_a', '\u0315\u0300', 'A', ' ']) {
        const body = { ...door.example, [bytesWorth(field, largestText / 2)]: 1 };
        await send(door, 'a name of a field', pathOf(door.endpoint.path, undefined), { headers, body });
      }
    }
  });

  async function expectUploadRefusal(what: string, caller: Record<string, string>, key: string, file: string): Promise<void> {
    const form = await multipart([
      ['idempotency_key', key],
      ['file', csv(file)],
    ]);
    for (const door of doorsFor('multipart')) await expectRefusal(door, what, { ...form, headers: { ...form.headers, ...caller } });
  }

  test('are refused quickly in the parts of an upload', async () => {
    expect(doorsFor('multipart').length).toBeGreaterThan(0);
    for (const [kind, unit] of texts) {
      const text = bytesWorth(unit, largestText);
      for (const caller of [newcomer, owner]) {
        await expectUploadRefusal(kind, caller, text, 'code\nABCD-EFGH\n');
        await expectUploadRefusal(kind, caller, repeated(unit, 255), `code\n${text}\n`);
        await expectUploadRefusal(kind, caller, 'k', `code\n${bytesWorth(unit, 60 * 1024)}\n`);
        await expectUploadRefusal(kind, caller, 'k', `${text}\nABCD-EFGH\n`);
        await expectUploadRefusal(kind, caller, 'k', `code\n${`${repeated(unit, 120)}\n`.repeat(800)}`);
      }
    }
  });

  test('are refused quickly as parts of an upload, or cells of its file, without end, also without a seller record', async () => {
    const disposition = 'content-disposition: form-data; name="file"; filename="a.csv"';
    const field = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n';
    const headers = { ...newcomer, 'content-type': 'multipart/form-data; boundary=x' };
    for (const start of ['', `--x\r\n${disposition}\r\n\r\n`]) {
      for (const unit of ['--x\r\n', `--x\r\n${disposition}\r\n\r\n\r\n`, field, '\r\n--']) {
        const body = Buffer.from(start + bytesWorth(unit, largestUpload));
        for (const door of doorsFor('multipart')) await expectRefusal(door, 'parts', { headers, body });
      }
    }
    for (const unit of [',', '"",', '"a"","\n']) {
      await expectUploadRefusal('cells', newcomer, 'k', `code\n${bytesWorth(unit, largestUpload - 1024)}\n`);
    }
  });

  test('are answered quickly in every path parameter and query value', async () => {
    for (const door of doors) {
      const { endpoint, example } = door;
      const [headers = {}] = callersOf(endpoint).slice(-1);
      const body = endpoint.bodyKind.endsWith('json') ? example : undefined;
      for (const [kind, unit] of texts) {
        const text = bytesWorth(encodeURIComponent(unit), largestHeader);
        for (const name of paramsOf(endpoint.path)) {
          await send(door, `${name}, ${kind}`, pathOf(endpoint.path, name, text), { headers, body });
        }
        for (const { name, maxLength } of propertiesOf(endpoint.query)) {
          const query = `${endpoint.isQueryForeign ? codeName(name) : name}=${text}`;
          const { status, name: sent } = await send(door, `${name}, ${kind}`, `${pathOf(endpoint.path, undefined)}?${query}`, { headers });
          if (maxLength !== undefined && !endpoint.isQueryForeign) expect([sent, status]).toEqual([sent, 400]);
        }
      }
    }
  });

  test('are answered quickly in every header that is read', async () => {
    const read = new Set<string>();
    const tried = new Set<string>();
    const watched = (event: any) => ({
      ...event,
      headers: new Proxy(event.headers, { get: (headers, name) => (read.add(String(name)) ? headers[name] : undefined) }),
    });
    for (const door of doors) {
      const { endpoint, example } = door;
      const [headers = {}] = callersOf(endpoint).slice(-1);
      const body = endpoint.bodyKind.endsWith('json') ? example : undefined;
      const target = pathOf(endpoint.path, undefined);
      read.clear();
      await send(door, 'as it is', target, { headers, body }, watched);
      for (const name of [...read, 'authorization']) {
        // What all endpoints of a function do with a header is tried with the first that reads it.
        const first = `${door.served.name} ${endpoint.audience} ${name}`;
        if (tried.has(first)) continue;
        tried.add(first);
        for (const [kind, unit] of headerTexts) {
          for (const prefix of prefixes[name] ?? ['']) {
            const value = prefix + bytesWorth(unit, largestHeader);
            await send(door, `${name}, ${kind}`, target, { headers: { ...headers, [name]: value }, body });
          }
        }
      }
    }
  });
});

/** What must stand before a text for the rest of the header to be looked at. */
const prefixes: Record<string, string[]> = {
  authorization: ['Bearer ', 'Bearer eyJhbGciOiJSUzI1NiJ9.', ''],
  'content-type': ['', 'application/json', 'application/json;', 'application/', 'multipart/form-data;boundary='],
  'accept-encoding': ['', 'gzip;q=0', 'gzip '],
  'payment-signature': ['', 't=', 't=1,v1='],
};
