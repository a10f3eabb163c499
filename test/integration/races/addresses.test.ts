import { beforeAll, describe, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import type { OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createInterrupter, interruptionsOf } from '../../support/interrupt.ts';
import { disputed, type EventOf, refunded, won } from '../../support/samples/provider-events.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';
import { expectSerializable } from '../../support/serializable.ts';

const interrupter = createInterrupter();
let office: AddressOffice;
beforeAll(async () => {
  office = await openAddressOffice({ faults: interrupter });
});

type Task = () => Promise<unknown>;
/** What is to be done at once with the correction of an order, once all before it is done. */
type Prepare = (order: Order) => Promise<Task>;

const heard = async (reply: ReturnType<AddressOffice['correct']>) => {
  const { status, json } = await reply;
  return status < 300 ? 'heard' : json.code;
};
const correctTo =
  (email: string): Prepare =>
  async (order) => {
    const token = await office.token(order);
    return () => heard(office.correct(order, email, token));
  };
const correct = correctTo('right@example.com');
const correctAsAdmin: Prepare = async (order) => () => heard(office.correctAsAdmin(order, 'right@example.com'));
const sendMail: Prepare = async (order) => () => office.mailer(toSqsEvent([`send-mail:${order.id}/issuance`]));
const serve: Prepare = async (order) => () => office.serve(order.productId);
/** Received before, so that only the projection meets the correction. */
const project =
  (eventOf: EventOf): Prepare =>
  async (order) => {
    office.queue.take();
    await office.receiveEvent('platform', eventOf(order));
    const message = office.queue.take();
    return () => office.project(message);
  };
const sendLinks: Prepare = async (order) => {
  await office.resend(`typo-${order.id}@example.com`);
  const ids = office.queue.sent.splice(0).filter((id) => id.startsWith('send-links'));
  return () => office.mailer(toSqsEvent(ids));
};

/** Does whatever is left to do. */
async function settle(): Promise<void> {
  const ids = (await takeDueJobs(office, { evenIfLeased: true })).map(({ id }) => id);
  await office.project(toSqsEvent(ids.filter((id) => !id.startsWith('send-'))));
  await office.mailer(toSqsEvent([...ids.filter((id) => id.startsWith('send-')), ...office.queue.sent.splice(0)]));
}
async function linkOf(mail: OutgoingMail): Promise<string> {
  const link = await office.linkIn(mail);
  if (!link) return 'no link';
  const { status, json } = await office.complete({ token: link.token });
  return status === 200 ? 'a link that works' : json.code;
}
async function shown({ id }: Order) {
  const { order, license } = await office.show(id);
  const mails: string[] = [];
  for (const mail of office.mailbox.splice(0)) mails.push(`${mail.to.replace(/-ord_\w+/, '')}: ${await linkOf(mail)}`);
  return { status: order.status, generation: order.emailGeneration, isIssued: license !== undefined, mails: mails.toSorted() };
}

interface Sale {
  waits?: true;
  /** Before the two meet, with the mails that this brings, and after them. */
  before?: (order: Order) => unknown;
  areMailsSent?: true;
  after?: (order: Order) => unknown;
}
const meetings: [what: string, one: Prepare, other: Prepare, sale?: Sale][] = [
  ['another correction', correct, correctTo('two@example.com')],
  ['the mail worker', correct, sendMail],
  ['fresh links that are sent', correct, sendLinks],
  ['a full refund', correct, project(refunded(1200))],
  ['the end of a dispute, by an admin', correctAsAdmin, project(won), { before: disputed, areMailsSent: true }],
  ['the mail that is withheld, by an admin', correctAsAdmin, sendMail, { before: disputed, after: won }],
  ['the license that is issued', correct, serve, { waits: true }],
];

describe('wherever it meets a correction of the address, all mails and what their links open are as of one after the other:', () => {
  test.each(meetings)(
    '%s',
    async (_, one, other, { waits, before, areMailsSent, after } = {}) => {
      await expectSerializable(interruptionsOf(interrupter), async () => {
        const id = newId('order');
        const order = await office[waits ? 'buyWaiting' : 'buy'](`typo-${id}@example.com`, { id });
        if (before) await office.deliver(before(order));
        if (areMailsSent) await office.work();
        const tasks = [await one(order), await other(order)] as const;
        office.queue.take();
        office.mailbox.length = 0;
        return {
          tasks,
          async end() {
            await settle();
            if (after) await office.deliver(after(order));
            await settle();
            return shown(order);
          },
        };
      });
    },
    120_000,
  );
});
