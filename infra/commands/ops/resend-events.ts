import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { readSettings } from '../../../shared/config.ts';
import { snapshotEventTypes } from '../../../shared/payments/events/parse-event.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { readOptions, UsageError } from '../command-line.ts';
import type { Command } from './command.ts';
import { readStageSecrets } from './secrets/stage-secrets.ts';
import { findStack } from './targets.ts';

const secretNames = ['PAYMENT_SECRET_KEY', 'PAYMENT_WEBHOOK_SECRET'] as const;
const eventsAtATime = 100;

/** What the webhook answers. */
const Receipt = z.object({ processed: z.boolean(), ignored: z.optional(z.boolean()) });

/** See "Restore" in infra/commands/ops/restore.md */
export const resendEvents: Command = {
  name: 'resend-events',
  takes: '--since <time>',
  does: "sends the payment provider's events since then to our webhook; known ones change nothing",
  async run(args) {
    const since = readSince(args);
    const { address, paymentApiBase } = await findStack();
    const settings = readSettings(secretNames, await readStageSecrets(secretNames));
    const provider = createStripeClient({ secretKey: settings.PAYMENT_SECRET_KEY, apiBase: paymentApiBase });
    const [secret = ''] = settings.PAYMENT_WEBHOOK_SECRET;
    const counts = { sent: 0, known: 0, failed: 0 };
    let after: string | undefined;
    do {
      const page = await provider.call((stripe) =>
        stripe.events.list({
          created: { gte: Math.floor(since.getTime() / 1000) },
          types: [...snapshotEventTypes],
          limit: eventsAtATime,
          ...(after !== undefined && { starting_after: after }),
        }),
      );
      for (const event of page.data) {
        const outcome = await send(`${address}/v1/payment/webhook`, JSON.stringify(event), secret);
        if (outcome === 'failed') console.log(`${event.id} was refused or not answered`);
        counts[outcome] += 1;
      }
      after = page.has_more ? page.data.at(-1)?.id : undefined;
    } while (after !== undefined);
    console.log(`${counts.sent} events were new, ${counts.known} known, ${counts.failed} failed`);
    if (counts.failed > 0) process.exitCode = 1;
  },
};

/** Through the same door as the provider itself: signed, and stored once by its id. */
async function send(url: string, body: string, secret: string): Promise<'sent' | 'known' | 'failed'> {
  const at = Math.floor(Date.now() / 1000);
  const signature = `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
  const headers = { 'Content-Type': 'application/json', 'Payment-Signature': signature };
  try {
    const reply = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(30_000) });
    if (!reply.ok) return 'failed';
    const { processed, ignored = false } = Receipt.parse(await reply.json());
    return processed || ignored ? 'known' : 'sent';
  } catch {
    return 'failed';
  }
}

function readSince(args: readonly string[]): Date {
  const since = new Date(readOptions('resend-events', args, { since: { type: 'string' } }).since ?? '');
  if (Number.isNaN(since.getTime())) throw new UsageError('--since is a time, such as 2026-01-31T09:00:00Z.');
  return since;
}
