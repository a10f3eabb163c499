import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { MailAccount } from '../../../infra/local/services/mail-account.ts';
import { type MailOutbox, startMailOutbox } from '../../../infra/local/services/mail-outbox.ts';
import { FailedJobError, ThrottledJobError } from '../../../shared/jobs/job.ts';
import { createMailClient, type OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import { UndeliverableMailError } from '../../../shared/mail/sending/send-failure.ts';
import { createSendPace, mailWorkers } from '../../../shared/mail/sending/send-pace.ts';

/** A clock that moves when somebody waits. */
function createClock() {
  let at = 1_000_000;
  const waited: number[] = [];
  return {
    waited,
    now: () => at,
    pass: (milliseconds: number) => {
      at += milliseconds;
    },
    wait: async (milliseconds: number) => void waited.push(milliseconds),
  };
}

describe('the pace of a mail worker', () => {
  const paceAt = (rate: number | undefined, clock = createClock(), readRate = async () => rate) => ({
    clock,
    pace: createSendPace({ readRate, now: clock.now, wait: clock.wait, random: () => 0 }),
  });

  test('is its part of the rate of the account', async () => {
    const { pace, clock } = paceAt(8);
    for (let mail = 0; mail < 4; mail += 1) await pace();
    expect(clock.waited).toEqual([1, 2, 3].map((turn) => (turn * 1000 * mailWorkers) / 8));
    clock.pass(10_000);
    await pace();
    expect(clock.waited).toHaveLength(3);
  });

  test('puts off who would wait long, each to a time of its own, and no longer than a message may be delayed', async () => {
    const { pace } = paceAt(1);
    const delays: number[] = [];
    for (let mail = 0; mail < 600; mail += 1) {
      await pace().catch((error) => {
        expect(error).toBeInstanceOf(ThrottledJobError);
        expect(error.reason).toBe('mail_rate');
        delays.push(error.delaySeconds);
      });
    }
    expect(delays.slice(0, 3)).toEqual([8, 10, 12]);
    expect(new Set(delays.slice(0, 400)).size).toBe(400);
    expect(Math.max(...delays)).toBe(900);
  });

  test.each([undefined, 0, -1])(
    'is that of the sandbox while the rate is not known (%p), and the account is asked again in a minute',
    async (rate) => {
      let answer = rate;
      let asked = 0;
      const clock = createClock();
      const { pace } = paceAt(rate, clock, async () => {
        asked += 1;
        return answer;
      });
      await pace();
      await pace();
      expect([asked, clock.waited]).toEqual([1, [1000 * mailWorkers]]);
      answer = 100;
      clock.pass(60_000);
      await pace();
      await pace();
      expect([asked, clock.waited.at(-1)]).toEqual([2, 10 * mailWorkers]);
    },
  );

  test('keeps a rate that it knows for ten minutes, and longer when it cannot be told anew', async () => {
    const asked: number[] = [];
    const clock = createClock();
    const { pace } = paceAt(10, clock, async () => {
      asked.push(clock.now());
      return asked.length === 1 ? 10 : undefined;
    });
    await pace();
    clock.pass(10 * 60_000 - 1);
    await pace();
    expect(asked).toHaveLength(1);
    clock.pass(1000);
    await pace();
    await pace();
    expect([asked.length, clock.waited]).toEqual([2, [100 * mailWorkers]]);
  });
});

describe('the mail client at the mail service', () => {
  let outbox: MailOutbox;
  const started: MailOutbox[] = [];
  beforeEach(async () => {
    outbox = await startMailOutbox({ sets: new Map([['mails', new Set()]]) });
    started.push(outbox);
  });
  afterEach(() => Promise.all(started.splice(0).map((engine) => engine.stop())));

  const mail: OutgoingMail = { to: 'buyer@example.com', reference: 'r', subject: 's', text: 't', html: 'h', senderName: 'n' };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const sesClient = () => new SESv2Client({ endpoint: outbox.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
  const clientOf = (configurationSet = 'mails') =>
    createMailClient({ from: 'licenses@example.com', configurationSet, client: sesClient(), pace: async () => undefined });
  const refusal = (change: Partial<MailAccount>, to = mail.to, set?: string) => {
    outbox.changeAccount(change);
    return clientOf(set)({ ...mail, to }).then(
      () => undefined,
      (error) => error,
    );
  };

  test('sends no faster than the account may, by what the mail service tells of it', async () => {
    outbox.changeAccount({ maxSendRate: 0.3 });
    const send = createMailClient({ from: 'licenses@example.com', configurationSet: 'mails', client: sesClient() });
    const outcomes = await Promise.allSettled([send(mail), send(mail).then(() => send(mail))]);
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { reason: 'mail_rate' } }]);
    expect(await outbox.listMails()).toHaveLength(1);
  });

  test('has a mail put off that comes too fast, and others not together with it', async () => {
    outbox.changeAccount({ maxSendRate: 1 });
    const send = clientOf();
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => send(mail)));
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(errors).toHaveLength(11);
    for (const { reason, delaySeconds } of errors)
      expect([reason, delaySeconds >= 5, delaySeconds <= 30]).toEqual(['mail_rate', true, true]);
    expect(new Set(errors.map(({ delaySeconds }) => delaySeconds)).size).toBeGreaterThan(1);
  });

  test.each<[string, Partial<MailAccount>, { of: new (...given: any[]) => Error; reason: string }, { to?: string; set?: string }?]>([
    ['the quota of the day is used up', { max24HourSend: 0 }, { of: ThrottledJobError, reason: 'mail_quota' }],
    ['sending is paused', { sendingPaused: true }, { of: ThrottledJobError, reason: 'mail_paused' }],
    [
      'the recipient is not verified in the sandbox',
      { sandboxOf: ['example.com'] },
      { of: UndeliverableMailError, reason: 'recipient_unverified' },
      { to: 'Somebody@Example.org' },
    ],
    ['the sender is not verified', { sandboxOf: ['buyer@example.com'] }, { of: FailedJobError, reason: 'mail_sender_unverified' }],
    ['there is no such configuration set', {}, { of: FailedJobError, reason: 'mail_configuration_unknown' }, { set: 'others' }],
  ])('names the fault, and nobody, when %s', async (_, change, expected, { to, set } = {}) => {
    const error = await refusal(change, to, set);
    expect(error).toBeInstanceOf(expected.of);
    expect(error.reason).toBe(expected.reason);
    expect(JSON.stringify([error.message, error.cause])).not.toMatch(/somebody|@/i);
    // For minutes.
    if (error instanceof ThrottledJobError) expect([error.delaySeconds >= 300, error.delaySeconds <= 900]).toEqual([true, true]);
  });

  test('takes the addresses of the simulator in the sandbox', async () => {
    expect(await refusal({ sandboxOf: ['example.com'] }, 'bounce@simulator.amazonses.com')).toBeUndefined();
  });
});
