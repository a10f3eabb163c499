import * as z from 'zod/mini';
import { parseParams } from '../objects/parse-params.ts';
import { missing } from '../provider-error.ts';
import type { Transaction } from '../store/provider-store.ts';
import type { Delivery } from '../store/records.ts';
import { queueDelivery, sendHeld, settingsOf } from '../webhooks/deliveries.ts';
import { type TestControl, wholeNumber } from './test-control.ts';

const flag = z.optional(
  z.pipe(
    z.union([z.boolean(), z.string()]),
    z.transform((value: boolean | string) => value === true || value === 'true' || value === 'on'),
  ),
);
const DeliveryBody = z.object({
  copies: wholeNumber(100),
  delay_ms: wholeNumber(86_400_000),
  shuffle_ms: wholeNumber(600_000),
  hold: flag,
});
const ReleaseBody = z.object({ order: z._default(z.enum(['made', 'reverse', 'random']), 'made') });

function deliverySettings(tx: Transaction) {
  const { copies, delayMs, shuffleMs, hold } = settingsOf(tx);
  return { copies, delay_ms: delayMs, shuffle_ms: shuffleMs, hold };
}

/** How webhooks arrive: late, twice, in another order, again. */
export const webhookControls: readonly TestControl[] = [
  {
    method: 'GET',
    path: '/test/deliveries',
    does: 'How webhooks are delivered, those under way, and the last that came to an end.',
    run: (tx) => {
      const short = ({ body: _, ...delivery }: Delivery) => delivery;
      return { settings: deliverySettings(tx), under_way: tx.list('delivery').map(short), ended: tx.list('delivered').map(short) };
    },
  },
  {
    method: 'POST',
    path: '/test/deliveries',
    takes: '{"copies"?, "delay_ms"?, "shuffle_ms"?, "hold"?}',
    does: 'How events from now on are delivered: several copies; later than any redirect (delay_ms); in random order (shuffle_ms); not before they are released (hold). What is left out is as usual.',
    run: (tx, _, body) => {
      const { copies = 1, delay_ms: delayMs = 0, shuffle_ms: shuffleMs = 0, hold = false } = parseParams(DeliveryBody, body);
      tx.put('settings', 'settings', { copies, delayMs, shuffleMs, hold });
      return deliverySettings(tx);
    },
  },
  {
    method: 'POST',
    path: '/test/deliveries/release',
    takes: '{"order"?: "made|reverse|random"}',
    does: 'Sends what is held, in this order.',
    run: (tx, _, body) => ({ released: sendHeld(tx, parseParams(ReleaseBody, body).order) }),
  },
  {
    method: 'POST',
    path: '/test/events/:id/resend',
    does: 'Sends an event once more.',
    run: (tx, id) => {
      const past = [...tx.list('delivered'), ...tx.list('delivery')].find(({ eventId }) => eventId === id);
      if (!past) throw missing('delivery of event', id);
      queueDelivery(tx, { id, type: past.type, body: JSON.parse(past.body) }, past.destination);
      return { event: id, type: past.type };
    },
  },
];
