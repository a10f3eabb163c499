import { describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { type EventEnvelope, parseEvent } from '../../shared/payments/events/parse-event.ts';
import { readPage } from './readme-page.ts';

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
