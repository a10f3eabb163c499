import { beforeAll, describe, expect, test } from '@jest/globals';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import type { OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { atEveryCall, createInterrupter, type Race } from '../../support/interrupt.ts';
import { disputeEvent, refundEvent } from '../../support/samples/provider-events.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';

const interrupter = createInterrupter();
let office: AddressOffice;
beforeAll(async () => {
  office = await openAddressOffice({ faults: interrupter });
});

describe('in every order of a correction and something else at once', () => {
  const inEveryOrder = (scene: (race: Race) => Promise<void>) => atEveryCall(scene, interrupter);

  /** The correction of an order's address, and what it came to. */
  const correct =
    (order: Order, token: string, email = 'right@example.com') =>
    async () => {
      const { status, json } = await office.correct(order, email, token);
      return status === 202 ? 'heard' : String(json.code);
    };
  const sendMail =
    (order: Order, mailId = 'issuance') =>
    async () => {
      await office.mailer(toSqsEvent([`send-mail:${order.id}/${mailId}`]));
      return 'sent';
    };
  /** Received before, so that only the projection races. */
  async function projectionOf(event: unknown) {
    office.queue.take();
    await office.receiveEvent('platform', event);
    const message = office.queue.take();
    return async () => {
      await office.project(message);
      return 'projected';
    };
  }
  /** Lets two tasks race, and whatever they left be done; returns what they came to, with every mail that went out. */
  async function settle(race: Race, one: () => Promise<string>, other: () => Promise<string>) {
    office.queue.take();
    office.mailbox.length = 0;
    const outcomes = await race(one, other);
    const left = await takeDueJobs(office, { evenIfLeased: true });
    const ids = left.map(({ id }) => id);
    await office.project(toSqsEvent(ids.filter((id) => !id.startsWith('send-'))));
    await office.mailer(toSqsEvent([...ids.filter((id) => id.startsWith('send-')), ...office.queue.sent.splice(0)]));
    return { outcomes, mails: office.mailbox.splice(0) };
  }
  const linksTo = (mails: readonly OutgoingMail[], address: string) =>
    mails.filter(({ to, text }) => to === address && text.includes('#token='));
  async function statusOfLink(mail: OutgoingMail | undefined) {
    const { status, json } = await office.complete({ token: (await office.linkIn(mail))?.token });
    return status === 200 ? 'works' : String(json.code);
  }

  test('another correction: one is heard, and its address has the one link', async () => {
    const orders = await inEveryOrder(async (race) => {
      const order = await office.buy();
      const token = await office.token(order);
      const { outcomes, mails } = await settle(race, correct(order, token, 'one@example.com'), correct(order, token, 'two@example.com'));
      expect(outcomes.toSorted()).toEqual(['email_already_corrected', 'heard']);
      const [winner, loser] = outcomes[0] === 'heard' ? ['one', 'two'] : ['two', 'one'];
      expect(linksTo(mails, `${winner}@example.com`)).toHaveLength(1);
      expect(mails.filter(({ to }) => to === `${loser}@example.com`)).toEqual([]);
    });
    expect(orders).toBeGreaterThanOrEqual(8);
  }, 120_000);

  test('the mail worker: the new address gets one link that works, the old one at most one that is dead', async () => {
    const sentToOld: number[] = [];
    await inEveryOrder(async (race) => {
      const order = await office.buy();
      const { outcomes, mails } = await settle(race, correct(order, await office.token(order)), sendMail(order));
      expect(outcomes[0]).toBe('heard');
      const [fresh, ...more] = linksTo(mails, 'right@example.com');
      expect(await statusOfLink(fresh)).toBe('works');
      expect(more).toEqual([]);
      const old = linksTo(mails, 'typo@example.com');
      sentToOld.push(old.length);
      for (const mail of old) expect(await statusOfLink(mail)).toBe('completion_token_invalid');
    });
    expect([...new Set(sentToOld)].toSorted()).toEqual([0, 1]);
  }, 120_000);

  test('fresh links being sent: whatever the old address gets is dead', async () => {
    const sentToOld: number[] = [];
    await inEveryOrder(async (race) => {
      const old = `typo-${sentToOld.length}@example.com`;
      const order = await office.buy(old);
      await office.resend(old);
      const [jobId = ''] = office.queue.sent.filter((id) => id.startsWith('send-links'));
      const sendLinks = async () => {
        await office.mailer(toSqsEvent([jobId]));
        return 'sent';
      };
      const { mails } = await settle(race, correct(order, await office.token(order)), sendLinks);
      const links = linksTo(mails, old);
      sentToOld.push(links.length);
      for (const mail of links) expect(await statusOfLink(mail)).toBe('completion_token_invalid');
    });
    expect([...new Set(sentToOld)].toSorted()).toEqual([0, 1]);
  }, 120_000);

  test('a full refund: the order is refunded, and the correction is heard or refused as a whole', async () => {
    const heard = new Set<string | undefined>();
    await inEveryOrder(async (race) => {
      const order = await office.buy();
      const refund = await projectionOf(refundEvent(order, 1200));
      const { outcomes } = await settle(race, correct(order, await office.token(order)), refund);
      heard.add(outcomes[0]);
      const { order: after } = await office.show(order.id);
      expect(after.status).toBe('refunded');
      expect(after.emailGeneration).toBe(outcomes[0] === 'heard' ? 1 : undefined);
    });
    expect([...heard].toSorted()).toEqual(['heard', 'license_not_usable']);
  }, 120_000);

  test('the end of a dispute, by an admin: the new address gets one link that works', async () => {
    await inEveryOrder(async (race) => {
      const order = await office.buy();
      await office.deliver(disputeEvent(order, 'created', 'needs_response'));
      await office.work();
      const lift = await projectionOf(disputeEvent(order, 'closed', 'won'));
      const correctAsAdmin = async () => String((await office.correctAsAdmin(order, 'right@example.com')).status);
      const { outcomes, mails } = await settle(race, correctAsAdmin, lift);
      expect(outcomes[0]).toBe('200');
      expect(linksTo(mails, 'typo@example.com')).toEqual([]);
      const links = linksTo(mails, 'right@example.com');
      expect(links).toHaveLength(1);
      expect(await statusOfLink(links[0])).toBe('works');
    });
  }, 120_000);

  test('the mail being withheld, by an admin: once the hold is lifted the new address gets one link', async () => {
    await inEveryOrder(async (race) => {
      const order = await office.buy();
      await office.deliver(disputeEvent(order, 'created', 'needs_response'));
      const correctAsAdmin = async () => String((await office.correctAsAdmin(order, 'right@example.com')).status);
      await settle(race, correctAsAdmin, sendMail(order));
      await office.deliver(disputeEvent(order, 'closed', 'won'));
      const mails = await office.work();
      expect(mails.map(({ to }) => to)).toEqual(['right@example.com']);
      expect(await statusOfLink(mails[0])).toBe('works');
    });
  }, 120_000);

  test('the license being issued: the new address gets one link, to the license', async () => {
    await inEveryOrder(async (race) => {
      const order = await office.buyWaiting();
      office.queue.take();
      const serve = async () => {
        await office.serve(order.productId);
        return 'served';
      };
      const { outcomes, mails } = await settle(race, correct(order, await office.token(order)), serve);
      expect(outcomes[0]).toBe('heard');
      expect(linksTo(mails, 'typo@example.com')).toEqual([]);
      const links = linksTo(mails, 'right@example.com');
      expect(links).toHaveLength(1);
      expect(await statusOfLink(links[0])).toBe('works');
      expect((await office.show(order.id)).license).toBeDefined();
    });
  }, 120_000);
});
