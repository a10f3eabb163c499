import * as z from 'zod/mini';
import type { AuditRecord } from '../audit/audit.ts';
import { workerActors } from '../audit/audit.ts';
import { activationIdOf, type Device, firstActivationTime, type License } from '../licenses/license.ts';
import type { Mail } from '../mail/outbox/mail.ts';
import type { Order } from '../orders/order.ts';
import { dateTime } from '../schemas.ts';

/** A state, or a number. */
const HistoryValue = z.union([z.string(), z.number()]);
type HistoryValue = z.infer<typeof HistoryValue>;

/** Something that happened to an order or its license, without the buyer, their devices and the license key. */
export const HistoryItem = z.object({
  at: dateTime,
  action: z.string(),
  actor: z.enum(['seller', 'buyer', 'admin', 'app', 'provider', 'service']),
  before: z.optional(HistoryValue),
  after: z.optional(HistoryValue),
});
export type HistoryItem = z.infer<typeof HistoryItem>;

/** With its place among all others: sorted as text, the oldest is first. */
export interface HistoryEntry extends HistoryItem {
  place: string;
}

/** Of what happened at the same moment, causes come before what follows from them. */
const ranks = {
  'order.created': 0,
  'payment.succeeded': 1,
  'license.issued': 2,
  'payment.refunded': 3,
  'activation.created': 5,
  'mail.sent': 6,
  'activation.released': 7,
} as const;
const defaultRank = 4;

const isRanked = (action: string): action is keyof typeof ranks => Object.hasOwn(ranks, action);

const historyEntry = (item: HistoryItem, id: string): HistoryEntry => ({
  ...item,
  place: `${item.at}#${isRanked(item.action) ? ranks[item.action] : defaultRank}#${id}`,
});

/** How the order began, was paid, and became a license. */
export function orderEntries({ id, createdAt, amount, checkout: { paidAt } }: Order, license: License | undefined): HistoryEntry[] {
  return [
    historyEntry({ at: createdAt, action: 'order.created', actor: 'buyer' }, id),
    ...(paidAt === undefined
      ? []
      : [historyEntry({ at: notBefore(createdAt, paidAt), action: 'payment.succeeded', actor: 'provider', after: amount }, id)]),
    ...(license ? [historyEntry({ at: license.issuedAt, action: 'license.issued', actor: 'service' }, license.id)] : []),
  ];
}

/** That the license was upgraded, by the paid orders that did it. */
export const upgradeEntries = (upgrades: readonly Order[]): HistoryEntry[] =>
  upgrades.flatMap(({ id, checkout: { paidAt } }) =>
    paidAt === undefined ? [] : [historyEntry({ at: paidAt, action: 'license.upgraded', actor: 'buyer' }, id)],
  );

/** Mails about the order that the mail service took. */
export const mailEntries = (mails: readonly Mail[]): HistoryEntry[] =>
  mails.flatMap(({ id, state, settledAt: at }) =>
    state === 'sent' && at !== undefined ? [historyEntry({ at, action: 'mail.sent', actor: 'service' }, id)] : [],
  );

/** Audit records of the order or its license as history entries. See "Audit records" in README.md */
export const auditEntries = (records: readonly AuditRecord[], ownerUserId: string): HistoryEntry[] =>
  records.flatMap((record) => {
    const told = detailOf(record);
    return told ? [historyEntry({ at: record.at, actor: historyActor(record.actor, ownerUserId), ...told }, record.id)] : [];
  });

/** Who acted, of those that an audit record may name. */
export function historyActor(actor: string, ownerUserId: string): HistoryItem['actor'] {
  if (actor === 'buyer' || actor === 'provider') return actor;
  if (actor === 'operator' || workerActors.some((worker) => worker === actor)) return 'service';
  return actor === ownerUserId || actor.startsWith('token:') ? 'seller' : 'admin';
}

/** When each device's seat was freed by someone other than its app, by activation id. */
export function seatsFreedIn(records: readonly AuditRecord[]): ReadonlyMap<string, readonly string[]> {
  const times = new Map<string, string[]>();
  for (const { action, before, at } of records) {
    const id = before?.['activationId'];
    if (action === 'license.release_activation' && typeof id === 'string') times.set(id, [...(times.get(id) ?? []), at]);
  }
  return times;
}

/**
 * The history in a device's record: when it first and last took a seat, and when it gave it up, unless an audit record
 * covers that. Anything in between was not stored.
 */
export function deviceEntries(device: Device, { formerKeys = [] }: License, releases: ReturnType<typeof seatsFreedIn>): HistoryEntry[] {
  const id = activationIdOf(device);
  const { activatedAt, deactivatedAt: left } = device;
  const taken = [...new Set([firstActivationTime(device), activatedAt])];
  const created = taken.map((at) => historyEntry({ at, action: 'activation.created', actor: 'app' }, id));
  // A seat that was left is left once more only after it was taken again, which the record would tell.
  const isAudited = left !== undefined && releases.get(id)?.some((at) => at >= left);
  if (left === undefined || isAudited) return created;
  const byBuyer = formerKeys.some(({ lookup, replacedAt }) => lookup === device.lookup && replacedAt === left);
  return [...created, historyEntry({ at: left, action: 'activation.released', actor: byBuyer ? 'buyer' : 'app' }, id)];
}

type HistoryDetail = Pick<HistoryItem, 'action' | 'before' | 'after'>;

/** The attribute that is shown of an action's audit records, for the actions that show one. */
const shownAttributes: Readonly<Record<string, string>> = {
  'license.hold': 'paymentHold',
  'license.lift_hold': 'paymentHold',
  'license.revoke': 'status',
  'license.suspend': 'status',
  'license.reinstate': 'status',
  'license.change_limit': 'activationLimit',
};

/** Undefined if another entry says the same. */
function detailOf(record: AuditRecord): HistoryDetail | undefined {
  const { action, after } = record;
  switch (action) {
    case 'license.issue':
      return undefined;
    case 'license.release_activation':
      return { action: 'activation.released' };
    case 'order.record_mail_report':
      if (after?.['outcome'] !== 'bounced') return { action, after: wordOf(after?.['outcome']) };
      return { action: 'mail.bounced', after: wordOf(after['bounce']) };
    case 'order.update_status':
      return statusDetailOf(record);
    case 'license.count_addition':
    case 'license.uncount_addition': {
      const limit = change(record, 'activationLimit');
      return { action, ...(limit.before !== limit.after && limit) };
    }
    default: {
      const name = shownAttributes[action];
      return name === undefined ? { action } : { action, ...change(record, name) };
    }
  }
}

const unpaid: readonly unknown[] = ['pending', 'payment_failed', 'expired'] satisfies Order['status'][];
const refunded: readonly unknown[] = ['partially_refunded', 'refunded'] satisfies Order['paymentStatus'][];
const disputed: readonly unknown[] = ['disputed', 'lost'] satisfies Order['paymentStatus'][];

/** A refund, a payment (already in the order), or otherwise the status that changed. */
function statusDetailOf(record: AuditRecord): HistoryDetail | undefined {
  const { action, before = {}, after = {} } = record;
  const [amountBefore, amountAfter] = [before['amountRefunded'], after['amountRefunded']];
  if (typeof amountBefore === 'number' && typeof amountAfter === 'number') {
    if (amountAfter > amountBefore) return { action: 'payment.refunded', before: amountBefore, after: amountAfter };
  } else if (refunded.includes(after['paymentStatus']) && !disputed.includes(before['paymentStatus'])) {
    // Older records have no amounts.
    return { action: 'payment.refunded' };
  }
  if (unpaid.includes(before['status']) && after['status'] === 'paid') return undefined;
  const moved = ['status', 'paymentStatus', 'amountRefunded'].find((name) => before[name] !== after[name]);
  return moved === undefined ? undefined : { action, ...change(record, moved) };
}

const change = ({ before, after }: AuditRecord, name: string): Pick<HistoryItem, 'before' | 'after'> => ({
  before: wordOf(before?.[name]),
  after: wordOf(after?.[name]),
});

/** Whatever a record may contain in future, only a state or a number is shown. */
function wordOf(value: unknown): HistoryValue | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^[a-z_]{1,40}$/.test(value) ? value : undefined;
}

/** The provider reports payment times in whole seconds, so a payment can appear to precede its cause. */
const notBefore = (earliest: string, at: string) => (at < earliest ? earliest : at);
