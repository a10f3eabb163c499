import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type Guide, readGuide } from '../../infra/documents/site/guides.ts';
import { guidePage } from '../../infra/documents/site/page.ts';
import { exampleEvent } from '../../infra/documents/site/parts/event-types.ts';
import { escapeHtml } from '../../shared/html.ts';
import { newId } from '../../shared/ids.ts';
import { type Locale, locales } from '../../shared/locale.ts';
import { sellerEventData, sellerEventTypes } from '../../shared/seller-events/seller-event.ts';
import { afterAttempt, type Delivery, messageIdOf } from '../../shared/webhook-endpoints/deliveries/delivery.ts';
import { toWire } from '../../shared/wire.ts';
import { snippetsIn } from '../support/http/guide-code.ts';

const bodyIn = (locale: 'en' | 'ja') => String(readGuide('sellers', locale).find(({ id }) => id === 'events')?.body);

/** Seconds between the attempts of a delivery that always fails. */
function secondsBetweenAttempts(): number[] {
  const at = new Date('2026-01-31T08:00:00.000Z');
  const seconds: number[] = [];
  let delivery: Delivery = { eventId: newId('event'), type: 'order.paid', status: 'pending', attempts: 0, createdAt: at.toISOString() };
  for (;;) {
    delivery = afterAttempt(delivery, { error: 'timeout' }, at, 0.5);
    if (delivery.nextAttemptAt === undefined) return seconds;
    seconds.push((Date.parse(delivery.nextAttemptAt) - at.getTime()) / 1000);
  }
}

const inWords = (seconds: number, [second, minute, hour]: readonly [string, string, string]) =>
  seconds < 60 ? `${seconds}${second}` : seconds < 3600 ? `${seconds / 60}${minute}` : `${seconds / 3600}${hour}`;

describe.each(locales)('the guide to events (%s)', (locale) => {
  const body = bodyIn(locale);

  test.each(['receiver.ts', 'receiver.py'])('shows %s as it stands', (name) => {
    const source = readFileSync(`infra/documents/samples/${name}`, 'utf8');
    expect(body).toContain(`<figcaption>${name}</figcaption><pre tabindex="0"><code>${escapeHtml(source.trimEnd())}</code></pre>`);
  });

  test('has a row for each type, with the fields of its data as they are on the wire', () => {
    const rows = [...body.matchAll(/<th scope="row"><code>(\S+)<\/code><\/th><td>(.+?)<\/td><td>(.*?)<\/td>/g)];
    expect(rows.map(([, type]) => type)).toEqual(sellerEventTypes);
    const fields = Object.fromEntries(
      rows.map(([, type, , data = '']) => [type, [...data.matchAll(/<code>(\w+)<\/code>/g)].map(([, name]) => name)]),
    );
    const sale = ['status', 'amount', 'currency', 'kind', 'quantity', 'discount_id', 'parent_order_id'];
    expect(fields['order.refunded']).toEqual(['order_id', 'product_id', ...sale, 'amount_refunded']);
    expect(fields['test']).toEqual(['endpoint_id']);
    expect(Object.entries(fields).filter(([, names]) => Object(names).length === 0)).toEqual([]);
  });

  test('tells when a failed event comes again', () => {
    const seconds = secondsBetweenAttempts();
    const units = locale === 'en' ? ([' s', ' min', ' h'] as const) : (['秒', '分', '時間'] as const);
    const words = seconds.map((one) => inWords(one, units));
    const list = locale === 'en' ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join('、');
    expect(seconds).toHaveLength(9);
    expect(body).toContain(list);
  });
});

test('The example of an event is what the service would send', () => {
  const [head = '', body = ''] = exampleEvent.split('\n\n');
  const [, eventId, endpoint] = /^webhook-id: (evt_\w{26})(_[\w-]+)$/m.exec(head) ?? [];
  const real = messageIdOf(newId('event'), newId('endpoint'));
  expect(`${eventId}${endpoint}`).toHaveLength(real.length);
  const event = JSON.parse(body);
  const { shape } = sellerEventData['order.paid'];
  const optional = ['discountId', 'parentOrderId', 'licenseStatus'];
  const names = Object.keys(shape).flatMap((name) => (optional.includes(name) ? [] : [[name, 0]]));
  expect(Object.keys(event)).toEqual(['type', 'timestamp', 'data']);
  expect(event.type).toBe('order.paid');
  expect(Object.keys(event.data)).toEqual(Object.keys(Object(toWire(Object.fromEntries(names)))));
});

const document = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8'));
const assets = { guideScript: 'guide.js', script: 'reference.js', style: 'docs.css', viewerStyle: 'viewer.css' };

test.each(locales)('The guide for sellers names requests that there are, in %s', (locale) => {
  const named = [...String(guidePage(assets, locale, 'sellers')).matchAll(/<code>(GET|POST|PATCH) (\/v1\/[^<]+)<\/code>/g)];
  expect(named.length).toBeGreaterThan(8);
  const unknown = named.filter(([, method = '', path = '']) => document.paths[path]?.[method.toLowerCase()] === undefined);
  expect(unknown.map(([, ...request]) => request.join(' '))).toEqual([]);
});

test.each([
  ['sellers', 12],
  ['updates', 4],
] as const)('The guide %s has the same %i parts, and names the same fields and words, in both languages', (name, parts) => {
  const [en, ja] = [String(guidePage(assets, 'en', name)), String(guidePage(assets, 'ja', name))];
  const ids = (page: string) => [...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
  const codes = (page: string) => [...new Set([...page.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code))].toSorted();
  expect(ids(en)).toHaveLength(parts);
  expect([ids(ja), codes(ja)]).toEqual([ids(en), codes(en)]);
});

/** Which test takes each block of code out of the served page and runs it as it stands. Those of the section `start` are the steps of `sample-apps`. */
const ranIn = {
  guide: { 'clients/sample-apps': ['Request', 'Reply', 'Make a test key', 'Its reply, with status 201'] },
  sellers: {
    'e2e/stories': [
      'What is yours to do',
      'Apply',
      'Draft a product, and hand it in',
      'A product for teams, and one that its owners get for less',
      'Make a code, see how it fares, end it',
      'Give your number',
      'Find the sale, look at it, send fresh links',
      'POST /v1/api-tokens',
      'Draft, price, test key, discount, review',
      'Orders of this month',
    ],
    // They are the files that this runs, as is tested above.
    'clients/receivers': ['receiver.ts', 'receiver.py'],
    // No code: what comes, which is compared above with what the service sends.
    'contract/guides': ['What comes'],
  },
  updates: {
    'clients/sample-apps': ['JavaScript and TypeScript', 'Python', 'Go', 'Java and Kotlin', 'Rust'],
    'clients/updaters/electron-updater': ['electron-updater (JavaScript)'],
    'clients/updaters/velopack': ['Velopack (JavaScript)'],
    'clients/updaters/addresses': [
      'Sparkle 2 (Swift, in the delegate of SPUUpdater)',
      'WinSparkle (C)',
      'Tauri 2 (Rust)',
      'Your own updater',
    ],
    'e2e/release-script': ['sh', '.github/workflows/release.yml', 'release.json', '.github/release.sh', 'POST /v1/api-tokens'],
  },
} as const;

/** All code of a guide but the steps of each language. */
const codeOf = (name: Guide, locale: Locale) => {
  const sections = readGuide(name, locale).filter(({ id }) => id !== 'start');
  return snippetsIn(sections.map(({ body }) => String(body)).join(''));
};

test.each(['guide', 'sellers', 'updates'] as const)('The code of the guide %s is run by a test, and the same in both languages', (name) => {
  const shown = codeOf(name, 'en');
  expect(codeOf(name, 'ja').map(({ code }) => code)).toEqual(shown.map(({ code }) => code));
  expect(shown.map(({ caption }) => caption).toSorted()).toEqual(Object.values(ranIn[name]).flat().toSorted());
  for (const [file, captions] of Object.entries<readonly string[]>(ranIn[name])) {
    const source = readFileSync(`test/${file}.test.ts`, 'utf8');
    const takes = (caption: string) => source.includes(`'${caption}'`) || source.includes(`  ${caption}: `);
    expect(captions.filter((caption) => !takes(caption))).toEqual([]);
  }
});

// What becomes of an app without it, the real updaters show in `clients/updaters`.
test.each([
  ['electron-updater (JavaScript)', /\?current=\$\{app\.getVersion\(\)\}&bundle=.*\.channel = .*\.allowDowngrade = false/s],
  ['Tauri 2 (Rust)', /\/\{\{current_version\}\}\?bundle=\{\{bundle_type\}\}"/],
  ['Sparkle 2 (Swift, in the delegate of SPUUpdater)', /\?current=\\\(version\)"/],
  ['WinSparkle (C)', /_app_build_version\(L"120"\).*\?current=1\.2\.0"\);\nwin_sparkle_init\(\);/s],
] as const)('The code for %s says what its feed goes by', (updater, form) => {
  expect(codeOf('updates', 'en').find(({ caption }) => caption === updater)?.code).toMatch(form);
});
