import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { EmailRequestRecord } from '../../../../shared/buyer-email/email-request.ts';
import {
  additionOfOrderKey,
  checkoutRequestKey,
  emailRequestKey,
  heldOrderKey,
  licenseFactsKey,
  licenseKey,
  licensePointerKey,
  mailKey,
  orderKey,
  orderOfBuyerKey,
  orderOfSellerKey,
  paymentKey,
  waitingOrderKey,
  webhookEventKey,
} from '../../../../shared/db/keys.ts';
import { effectiveHold, ownHold, passedOn } from '../../../../shared/entitlements/holds.ts';
import { LicenseFacts } from '../../../../shared/entitlements/license-facts.ts';
import { idOf } from '../../../../shared/ids.ts';
import { issuanceMailId, Mail } from '../../../../shared/mail/outbox/mail.ts';
import { RecentMails, WaitingMail } from '../../../../shared/mail/outbox/mail-count-repository.ts';
import { HeldOrder, heldOrderPlace } from '../../../../shared/orders/held-order-repository.ts';
import { type AdditionOrder, CheckoutRequest, isAddition, Order, wasPaid } from '../../../../shared/orders/order.ts';
import { WebhookEvent } from '../../../../shared/payments/events/webhook-event.ts';
import { Payment } from '../../../../shared/payments/payment.ts';
import { createRule, hasJob, idFromKey } from './rule.ts';
import type { Read } from './table-reader.ts';

const OrderPointer = z.object({ id: idOf('order') });

export const orderRules = {
  orderKey: createRule({
    schema: Order,
    key: ({ id }) => orderKey(id),
    list: async ({ id, createdAt }) => ({ name: 'orders', at: createdAt, id }),
    async *faults(order, read) {
      const { id, sellerId, paymentIntentId, completionMailId, ttl } = order;
      const pointer = await read.get(orderOfSellerKey(sellerId, id));
      if (!pointer) yield `is not in the list of ${sellerId}`;
      else if (ttl === undefined && pointer['ttl'] !== undefined) yield `was paid, and its place in the list of ${sellerId} expires`;
      if (paymentIntentId !== undefined && (await read.get(paymentKey(paymentIntentId)))?.['orderId'] !== id)
        yield 'has a payment that is not its own';
      if (completionMailId !== undefined && !(await read.get(mailKey(id, completionMailId))))
        yield 'has a completion mail that is not there';
      yield* isAddition(order) ? additionFaults(order, read) : licenseFaults(order, read);
      yield* upgradeFaults(order, read);
      const place = heldOrderPlace(order);
      if (place && !(await read.get(place))) yield `is paid but held, and is not in the list of ${sellerId}`;
    },
  }),
  orderOfSellerKey: createRule({
    schema: OrderPointer,
    key: ({ id }, { owner }) => orderOfSellerKey(idFromKey('seller', owner), id),
    async *faults({ id }, read, { owner }) {
      if ((await read.get(orderKey(id)))?.['sellerId'] !== owner) yield `is in the list of ${owner}, and is not of that seller`;
    },
  }),
  additionOfOrderKey: createRule({
    schema: OrderPointer,
    key: ({ id }, { owner }) => additionOfOrderKey(idFromKey('order', owner), id),
    async *faults({ id }, read, { owner }) {
      const order = Order.safeParse(await read.get(orderKey(id)));
      if (order.data?.addedTo?.orderId !== owner) yield `is in the list of additions to ${owner}, and is none of them`;
    },
  }),
  orderOfBuyerKey: createRule({
    schema: OrderPointer,
    key: ({ id }, { owner }) => orderOfBuyerKey(owner, id),
    async *faults({ id }, read) {
      const order = Order.safeParse(await read.get(orderKey(id)));
      if (!order.success || !wasPaid(order.data)) yield 'is in the list of a buyer, and was not paid';
      else if (order.data.sealedBuyerEmail === undefined) yield 'is in the list of a buyer, and has none';
    },
  }),
  checkoutRequestKey: createRule({
    schema: CheckoutRequest,
    id: ({ orderId }) => orderId,
    key: ({ requestHash }) => checkoutRequestKey(requestHash),
    async *faults({ orderId }, read) {
      if (!(await read.get(orderKey(orderId)))) yield 'has an idempotency key, and is not there';
    },
  }),
  waitingOrderKey: createRule({
    schema: z.object({ orderId: idOf('order') }),
    key: ({ orderId }, { owner, own }) => waitingOrderKey(idFromKey('product', owner), own.slice(0, own.indexOf('#')), orderId),
    async *faults({ orderId }, read, { owner, own }) {
      const order = await read.get(orderKey(orderId));
      const waits = order?.['productId'] === owner && order['waitingSince'] === own.slice(0, own.indexOf('#'));
      if (!waits || order['licenseId'] !== undefined) yield `waits for a code of ${owner}, and says otherwise`;
    },
  }),
  heldOrderKey: createRule({
    schema: HeldOrder,
    id: ({ orderId }) => orderId,
    key: ({ orderId, since }, { owner }) => heldOrderKey(idFromKey('seller', owner), since, orderId),
    async *faults({ orderId, since }, read, { owner }) {
      const order = Order.safeParse(await read.get(orderKey(orderId)));
      const own = order.success ? heldOrderPlace(order.data) : undefined;
      if (!isDeepStrictEqual(own, heldOrderKey(idFromKey('seller', owner), since, orderId))) yield 'is listed as paid but held, and is not';
    },
  }),
  emailRequestKey: createRule({
    schema: EmailRequestRecord,
    key: ({ orderId }) => emailRequestKey(orderId),
    list: async ({ orderId, requestedAt, decision }) =>
      decision === undefined ? { name: 'email-requests', at: requestedAt, id: orderId } : undefined,
    async *faults({ orderId, sellerId, sealedWanted, decision, ttl }, read) {
      const order = await read.get(orderKey(orderId));
      if (order?.['sellerId'] !== sellerId) yield 'is to get another address, and is not there or of another seller';
      if ((decision === undefined) !== (sealedWanted !== undefined)) yield 'keeps an address that was decided on, or asks for none';
      if (decision === undefined && ttl === undefined) yield 'is to get another address for ever';
    },
  }),
  mailKey: createRule({
    schema: Mail,
    id: ({ orderId, id }) => `${orderId}/${id}`,
    key: ({ orderId, id }) => mailKey(orderId, id),
    // Mails that bounced before there was the list are not in it.
    list: async ({ orderId, id, report }) =>
      report && report.outcome !== 'delayed' ? { name: 'bounced-mails', id: `${orderId}/${id}`, isOptional: true } : undefined,
    async *faults({ orderId, id, state }, read) {
      if (!(await read.get(orderKey(orderId)))) yield 'is about an order that is not there';
      if (state === 'pending' && !(await hasJob(read, { kind: 'send-mail', orderId, mailId: id })))
        yield 'is to be sent, and no job sends it';
    },
  }),
  mailingRequestKey: createRule({
    schema: z.object({ emailHashes: z.array(z.string()), ttl: z.int() }),
    id: (_, { owner }) => owner,
  }),
  mailingsKey: createRule({
    schema: z.extend(RecentMails, { ttl: z.int() }),
    id: ({ latest }) => latest.map(({ mailId }) => mailId).join(' '),
  }),
  waitingMailKey: createRule({
    schema: z.extend(WaitingMail, { ttl: z.int() }),
    id: ({ mailId }) => mailId,
  }),
  paymentKey: createRule({
    schema: Payment,
    id: ({ id }) => id,
    key: ({ id }) => paymentKey(id),
    async *faults({ id, orderId }, read) {
      if (orderId !== undefined && (await read.get(orderKey(orderId)))?.['paymentIntentId'] !== id)
        yield `is of ${orderId}, which has another payment or none`;
    },
  }),
  chargeKey: createRule({
    schema: z.object({ paymentIntentId: z.string() }),
    id: (_, { owner }) => owner,
    async *faults({ paymentIntentId }, read) {
      if (!(await read.get(paymentKey(paymentIntentId)))) yield `is of ${paymentIntentId}, which is not there`;
    },
  }),
  webhookEventKey: createRule({
    schema: WebhookEvent,
    id: ({ id }) => id,
    key: ({ id }) => webhookEventKey(id),
    async *faults({ id, projectedAt, payload }, read) {
      if (projectedAt !== undefined || payload.kind === 'ignored') return;
      if (!(await hasJob(read, { kind: 'project-event', eventId: id }))) yield 'was not projected, and no job does it';
    },
  }),
} as const;

/** What counts for its license is among the facts of that, and it is listed with the order that it adds to. */
async function* additionFaults(order: AdditionOrder, read: Read): AsyncGenerator<string> {
  const { id, licenseId, addedTo, ttl } = order;
  const pointer = await read.get(additionOfOrderKey(addedTo.orderId, id));
  if (!pointer) yield `is not in the list of additions to ${addedTo.orderId}`;
  else if (ttl === undefined && pointer['ttl'] !== undefined)
    yield `was paid, and its place among the additions to ${addedTo.orderId} expires`;
  if (licenseId !== undefined) yield `adds to a license, and has the license ${licenseId}`;
  if ((await read.get(orderKey(addedTo.orderId)))?.['licenseId'] !== addedTo.licenseId)
    yield `adds to ${addedTo.licenseId}, which ${addedTo.orderId} does not have`;
  if (!wasPaid(order)) return;
  const facts = LicenseFacts.safeParse(await read.get(licenseFactsKey(addedTo.licenseId)));
  const counts = facts.success && facts.data.additions[id]?.counts === true;
  if (counts !== (ownHold(order) === undefined))
    yield `${counts ? 'counts' : 'does not count'} for ${addedTo.licenseId}, and its payment says otherwise`;
  if (!(await read.get(mailKey(id, issuanceMailId)))) yield 'was paid, and no mail tells of it';
}

/** Each of two orders that one license leads to another names the other, and holds pass on, unless a job is at it. */
async function* upgradeFaults(order: Order, read: Read): AsyncGenerator<string> {
  const { id, upgradedFrom, upgrades = [], inheritedHold, heldBy } = order;
  for (const { orderId } of upgrades) {
    const upgrade = Order.safeParse(await read.get(orderKey(orderId)));
    if (upgrade.data?.upgradedFrom?.orderId !== id) yield `was upgraded by ${orderId}, which is not there or says otherwise`;
  }
  if (!upgradedFrom || !wasPaid(order)) return;
  const parent = Order.safeParse(await read.get(orderKey(upgradedFrom.orderId)));
  if (!parent.success) return yield `was upgraded from ${upgradedFrom.orderId}, which is not there`;
  if (!parent.data.upgrades?.some(({ orderId }) => orderId === id)) yield `upgrades ${parent.data.id}, which does not say so`;
  const passed = passedOn(parent.data);
  // Upgrades held before that was recorded do not say through which order.
  const isSame = passed.inheritedHold === inheritedHold && (!heldBy || passed.heldBy?.orderId === heldBy.orderId);
  const isFollowed = isSame || (await hasJob(read, { kind: 'follow-hold', orderId: id }));
  if (!isFollowed) yield `is held as ${parent.data.id} is not, and no job follows it`;
}

async function* licenseFaults(order: Order, read: Read): AsyncGenerator<string> {
  const { id, productId, licenseId, waitingSince, terms, status } = order;
  if (licenseId !== undefined) {
    const lookup = (await read.get(licensePointerKey(licenseId)))?.['lookup'];
    const license = typeof lookup === 'string' ? await read.get(licenseKey(lookup)) : undefined;
    if (!license) yield `has the license ${licenseId}, which is not there`;
    else if (license['orderId'] !== id) yield `has the license ${licenseId}, which is of another order`;
    else if (license['paymentHold'] !== effectiveHold(order)) yield `has the license ${licenseId}, which is held otherwise than it says`;
    if (!wasPaid(order)) yield `has the license ${licenseId}, and was not paid`;
    if (!(await read.get(mailKey(id, issuanceMailId)))) yield 'has a license, and no mail that tells of it';
    return;
  }
  if (!wasPaid(order)) return;
  if (waitingSince !== undefined) {
    if (!(await read.get(waitingOrderKey(productId, waitingSince, id))))
      yield `waits for a code of ${productId}, and is not in the queue for it`;
    return;
  }
  if (terms.licenseIssuanceMode === 'imported_csv' && status === 'refunded') return;
  if (!(await hasJob(read, { kind: 'issue-license', orderId: id }))) yield 'was paid, and has no license';
}
