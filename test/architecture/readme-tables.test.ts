import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { queueDefinitions } from '../../infra/constructs/queues.ts';
import { tokenLifetimes } from '../../shared/buyer-access/completion-token.ts';
import { batchStatuses } from '../../shared/code-batches/code-batch.ts';
import { type Job, type JobKind, nextRetryDelay } from '../../shared/jobs/job.ts';
import { LicenseStatus } from '../../shared/licenses/license.ts';
import { Mail } from '../../shared/mail/outbox/mail.ts';
import { type EventEnvelope, parseEvent } from '../../shared/payments/events/parse-event.ts';
import { fileAfterWithdrawal } from '../../shared/product-files/file-states.ts';
import { ProductFileHashStatus, type ProductFileRecord, ProductFileStatus } from '../../shared/product-files/product-file.ts';
import { queueOfJob } from '../../shared/queue/messages.ts';
import { firstCells, inHours, inMinutes, readPage, rowsOf, tableOf } from './readme-page.ts';
import { readSources } from './source-files.ts';

const root = join(import.meta.dirname, '..', '..');

describe('lists of states in READMEs', () => {
  test.each([
    ['shared/code-batches/README.md', 'from \\ event', batchStatuses],
    ['shared/product-files/states.md', 'from \\ event', ProductFileStatus.options],
    ['shared/product-files/states.md', 'hash_status', ProductFileHashStatus.options],
    ['shared/mail/outbox.md', 'from \\ trigger', Mail.shape.state.options],
    ['shared/licenses/README.md', 'status', LicenseStatus.options],
  ])('%s: %s has every state of the code', (page, corner, states) => {
    expect(firstCells(page, corner).sort()).toEqual([...states].sort());
  });

  test('what a withdrawal makes of a file', () => {
    const stateAfter = (status: ProductFileStatus) => {
      try {
        return fileAfterWithdrawal({ status } as ProductFileRecord, '2026-01-31T10:00:00.000Z').status;
      } catch {
        return '–';
      }
    };
    const stated = Object.entries(tableOf('shared/product-files/states.md', 'from \\ event'));
    expect(stated.map(([state, cells]) => [state, cells['withdraw (seller)']?.split(' ')[0]])).toEqual(
      ProductFileStatus.options.map((state) => [state, stateAfter(state)]),
    );
  });
});

describe('the lists of rooms', () => {
  const foldersOf = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();

  test('functions/README.md names every function', () => {
    const named = Object.keys(tableOf('functions/README.md', 'function')).sort();
    expect(named).toEqual(foldersOf('functions').filter((name) => existsSync(join(root, 'functions', name, 'declaration.ts'))));
  });

  test('shared/README.md names every room and what it imports', () => {
    const roomOf = (path: string) => /^shared\/([^/]+)\//.exec(path)?.[1];
    const imported = new Map(foldersOf('shared').map((room) => [room, new Set<string>()]));
    for (const { path, imports } of readSources('shared')) {
      const room = roomOf(path);
      const others = imports.map(roomOf).filter((name) => name !== undefined && name !== room);
      for (const other of others) if (room !== undefined && other !== undefined) imported.get(room)?.add(other);
    }
    const stated = Object.entries(tableOf('shared/README.md', 'room')).map(([room, cells]) => [room, cells['imports of other rooms']]);
    expect(Object.fromEntries(stated)).toEqual(
      Object.fromEntries([...imported].map(([room, names]) => [room, [...names].sort().join(', ')])),
    );
    const order = stated.map(([room]) => String(room));
    const upward = order.flatMap((room, place) =>
      [...(imported.get(room) ?? [])].filter((name) => order.indexOf(name) > place).map((name) => `${room} stands above ${name}`),
    );
    expect(upward).toEqual([]);
  });
});

describe('lists and schedules in READMEs are those of the code', () => {
  const now = new Date('2026-01-31T10:00:00.000Z');

  test('the life of completion tokens', () => {
    const { mail, admin, redirectAfterSession, redirectAfterPayment } = tokenLifetimes;
    expect(rowsOf('shared/buyer-access/README.md', 'use').map(([use, , lives]) => [use, lives])).toEqual([
      ['mail', inHours(mail)],
      [
        'redirect',
        `until ${inHours(redirectAfterSession)} after the session, and at most ${inMinutes(redirectAfterPayment)} after payment`,
      ],
      ['admin', inMinutes(admin)],
    ]);
  });

  test('the retry schedule of jobs', () => {
    const job = (attempts: number, ageSeconds: number) => ({
      attempts,
      createdAt: new Date(now.getTime() - ageSeconds * 1000).toISOString(),
    });
    const delay = (attempts: number, ageSeconds = 0) => nextRetryDelay({ ...job(attempts, ageSeconds) } as Job, now);
    const [, list = '', last = '', repeated] =
      /after ([\d, ]+) and (\d+) seconds, then every (\d+) seconds until it is a day old/.exec(readPage('shared/jobs/README.md')) ?? [];
    const stated = [...list.split(', '), last].map(Number);
    expect(stated.map((_, index) => delay(index + 1))).toEqual(stated);
    expect([delay(stated.length + 1), delay(200)]).toEqual([Number(repeated), Number(repeated)]);
    const day = 24 * 3600;
    expect([delay(200, day - Number(repeated)), delay(200, day - Number(repeated) + 1)]).toEqual([Number(repeated), undefined]);
  });

  test('which queue carries which job, who does it, and how long it is leased', async () => {
    const leases = new Map<string, number>();
    for (const { worker } of Object.values(queueDefinitions)) {
      leases.set(worker, (await import(`../../functions/${worker}/compose.ts`)).leaseSeconds);
    }
    const kindsOf = (setting: string) => Object.keys(queueOfJob).filter((kind) => queueOfJob[kind as JobKind] === setting);
    const stated = rowsOf('shared/queue/README.md', 'job').map(([kinds = '', setting, worker, lease]) => [
      kinds.split(', ').sort(),
      setting,
      worker,
      lease,
    ]);
    expect(stated).toEqual(
      Object.entries(queueDefinitions).map(([setting, { worker }]) => [
        kindsOf(setting).sort(),
        setting,
        `functions/${worker}`,
        `${leases.get(worker)} s`,
      ]),
    );
  });

  test('why a job is dead', () => {
    const reasons = readSources('functions', 'shared').flatMap(({ text }) =>
      [...text.matchAll(/new (?:Dead|Failed)JobError\('(\w+)'\)/g)].map(([, reason]) => reason ?? ''),
    );
    const stated = firstCells('shared/jobs/dead-jobs.md', 'lastFailure').flatMap((cell) =>
      cell === 'anything else' ? [] : cell.split(', '),
    );
    expect(stated.sort()).toEqual([...new Set(reasons)].sort());
  });
});

/** `v2.{a,b}.c` → `v2.a.c`, `v2.b.c` */
function expanded(text: string): string[] {
  const [whole, list] = /\{([^}]*)\}/.exec(text) ?? [];
  return whole === undefined || list === undefined ? [text] : list.split(',').flatMap((one) => expanded(text.replace(whole, one)));
}

/** Every type of event that the installed SDK knows. */
const typesIn = (file: string) => [
  ...new Set([...readPage(`node_modules/stripe/esm/resources/${file}`).matchAll(/^ {4}type: '([^']+)';/gm)].map(([, type]) => type ?? '')),
];

const kindOf = (event: Partial<EventEnvelope> & { type: string }, endpoint: 'platform' | 'connect') =>
  parseEvent({ id: 'evt_1', livemode: false, ...event } as EventEnvelope, endpoint, (text) => text).kind;

describe('the event destinations in infra/stacks/README.md', () => {
  const lines = readPage('infra/stacks/README.md').match(/^- `\/v1\/payment\/.*$/gm) ?? [];
  const [snapshot, thin] = lines.map((line) =>
    [...line.replace(/^.*?\): /, '').matchAll(/`([^`]+)`/g)].flatMap(([, type = '']) => expanded(type)).sort(),
  );

  test('name each snapshot event that is read, and no other', () => {
    const read = typesIn('Events.d.ts').filter(
      (type) => kindOf({ type, object: 'event', data: { object: { status: 'failed' } } }, 'platform') !== 'ignored',
    );
    expect(snapshot).toEqual(read.sort());
  });

  test('name each account event that is read, and no other', () => {
    const read = typesIn('V2/Core/Events.d.ts').filter((type) => kindOf({ type, object: 'v2.core.event' }, 'connect') === 'account');
    expect(thin).toEqual(read.sort());
  });

  test('have their paths, secrets, version and scope', () => {
    const told = lines.map((line) => [...line.replace(/\): .*$/, '').matchAll(/`([^`]+)`/g)].map(([, word]) => word));
    expect(told).toEqual([
      ['/v1/payment/webhook', 'PAYMENT_WEBHOOK_SECRET', Stripe.API_VERSION, '@self'],
      ['/v1/payment/connect/webhook', 'PAYMENT_CONNECT_WEBHOOK_SECRET', '@accounts'],
    ]);
  });
});
