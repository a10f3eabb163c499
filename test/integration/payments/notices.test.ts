import { beforeEach, describe, expect, test } from '@jest/globals';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import type { NewMail } from '../../../shared/mail/outbox/mail-repository.ts';
import { addMail, findMail } from '../../../shared/mail/outbox/mail-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { disputeEvent, refundEvent } from '../../support/samples/provider-events.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';

let office: AddressOffice;
beforeEach(async () => {
  office = await openAddressOffice();
});

const madeAt = new Date('2026-01-14T20:30:00.000Z');

/** Puts a notice into the outbox, and has it sent. */
async function notify({ id: orderId }: Order, notice: Omit<NewMail, 'id' | 'orderId'>) {
  const mail = { id: `mai_${notice.kind}`, orderId, ...notice };
  await office.table.transact([addMail(mail, madeAt), addJob(office, { kind: 'send-mail', orderId, mailId: mail.id })]);
  await office.mailer(toSqsEvent([`send-mail:${orderId}/${mail.id}`]));
  const { state } = (await findMail(office.table, orderId, mail.id)) ?? {};
  return { state, mails: office.mailbox.splice(0) };
}

describe('a notice in the outbox', () => {
  const states: [string, (order: Order) => Promise<unknown>][] = [
    ['paid', async () => undefined],
    ['partially_refunded', (order) => office.deliver(refundEvent(order, 400))],
    ['disputed', (order) => office.deliver(disputeEvent(order, 'created', 'needs_response'))],
    ['refunded', (order) => office.deliver(refundEvent(order, 1200))],
  ];
  test.each(states)('is sent to the address of the order while that is %s', async (status, bring) => {
    const order = await office.buy('buyer@example.com', { locale: 'en' });
    await bring(order);
    expect((await office.show(order.id)).order.status).toBe(status);
    const released = await notify(order, { kind: 'device_released', deviceLabel: 'Studio PC' });
    expect(released).toMatchObject({ state: 'sent', mails: [{ to: 'buyer@example.com', subject: 'A device was released: Sample App' }] });
    expect(released.mails[0]?.text).toMatch(/Device: Studio PC\nTime: January 14, 2026 at 8:30.PM UTC\n/);
    const replaced = await notify(order, { kind: 'key_replaced' });
    expect(replaced).toMatchObject({ state: 'sent', mails: [{ to: 'buyer@example.com' }] });
    expect(replaced.mails[0]?.subject).toBe('Your license key was replaced: Sample App');
  });

  test.each([
    ['ja', '端末の登録を解除しました：Sample App'],
    ['en', 'A device was released: Sample App'],
  ] as const)('is in the language of the checkout: %s', async (locale, subject) => {
    const order = await office.buy('buyer@example.com', { locale });
    expect((await notify(order, { kind: 'device_released' })).mails).toMatchObject([{ subject }]);
  });

  test('leads to the page for fresh links, and holds neither key nor token nor address', async () => {
    const order = await office.buy('buyer@example.com');
    for (const kind of ['device_released', 'key_replaced'] as const) {
      const [mail] = (await notify(order, { kind })).mails;
      expect(mail?.text).toContain('\nhttp://shop.test/manage\n');
      expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toMatch(/token|SHOP7-|buyer@/i);
    }
  });

  test('goes to the address that it names, if it names one', async () => {
    const order = await office.buy('buyer@example.com');
    const sealedTo = sealText('former@example.com', order.id, office.encryptionKeys);
    expect((await notify(order, { kind: 'address_corrected', sealedTo })).mails).toMatchObject([{ to: 'former@example.com' }]);
  });

  test('without an address known has no recipient', async () => {
    const order = await office.buy(null);
    expect(await notify(order, { kind: 'device_released' })).toEqual({ state: 'no_recipient', mails: [] });
  });

  test('goes to the corrected address, and keeps no completion mail from going out', async () => {
    const order = await office.buy('typo@example.com');
    await office.correct(order, 'right@example.com');
    expect((await notify(order, { kind: 'device_released' })).mails.map(({ to }) => to)).toEqual(['right@example.com']);
    expect((await office.work()).map(({ to }) => to).toSorted()).toEqual(['right@example.com', 'typo@example.com']);
  });
});
