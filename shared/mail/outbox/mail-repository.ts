import { countAcross } from '../../db/count-items.ts';
import { listKey, listPartitions, mailKey, mailsOfOrder } from '../../db/keys.ts';
import { ifAttributesUnchanged, lockConflict } from '../../db/optimistic-lock.ts';
import { readPartition } from '../../db/sharded-list.ts';
import { ifAbsent, type Table, type Write } from '../../db/table.ts';
import type { OrderId } from '../../ids.ts';
import { Mail, type MailStatus, mailStatusOf } from './mail.ts';
import type { MailReport } from './mail-report.ts';

/** A mail to put into the outbox; of no kind is one of a completion link. */
export type NewMail = Pick<Mail, 'id' | 'orderId'> &
  Partial<Pick<Mail, 'kind' | 'cause' | 'sealedTo' | 'deviceLabel' | 'addition' | 'upgrade'>>;

export async function findMail(table: Table, orderId: OrderId, mailId: string): Promise<Mail | undefined> {
  const item = await table.get(mailKey(orderId, mailId));
  return item && Mail.parse(item);
}

/** How a mail fared, as far as that is known; undefined when there is none. */
export async function findMailStatus(table: Table, orderId: OrderId, mailId: string): Promise<MailStatus | undefined> {
  const mail = await findMail(table, orderId, mailId);
  return mail && mailStatusOf(mail);
}

/** Every mail about an order. */
export async function findMailsOfOrder(table: Table, orderId: OrderId): Promise<Mail[]> {
  const items = await readPartition(table, mailsOfOrder(orderId));
  return items.map((item) => Mail.parse(item));
}

/** Puts a mail into the outbox; fails when it is there already. */
export function addMail(mail: NewMail, at: Date): Write {
  const pending: Mail = { kind: 'completion', ...mail, state: 'pending', createdAt: at.toISOString() };
  return { put: { Item: { ...mailKey(mail.orderId, mail.id), ...pending }, ...ifAbsent } };
}

/** Records the outcome of a pending mail. */
export function recordOutcome(mail: Mail, state: Exclude<Mail['state'], 'pending'>, at: Date): Write {
  return {
    update: {
      Key: mailKey(mail.orderId, mail.id),
      UpdateExpression: 'SET #state = :state, settledAt = :at',
      ConditionExpression: '#state = :pending',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':state': state, ':pending': 'pending', ':at': at.toISOString() },
    },
  };
}

/** Records a report of the mail service, replacing the one that was read. @throws OptimisticLockError */
export function recordMailReport(mail: Mail, report: MailReport): Write {
  const { condition, values } = ifAttributesUnchanged({ report: mail.report }, ['report']);
  // One that bounced is listed as such for good, whatever else is told of it.
  const list = report.outcome === 'bounced' ? listKey('bounced-mails', report.at, `${mail.orderId}/${mail.id}`) : undefined;
  return {
    update: {
      Key: mailKey(mail.orderId, mail.id),
      UpdateExpression: `SET report = :next${list ? ', listPk = :listPk, listSk = :listSk' : ''}`,
      ConditionExpression: `attribute_exists(pk) AND ${condition}`,
      ExpressionAttributeValues: {
        ...values,
        ':next': report,
        ...(list && { ':listPk': list.listPk, ':listSk': list.listSk }),
      },
    },
    onConditionFailed: lockConflict,
  };
}

/** The number of mails that bounced after this time, up to `max`. */
export const countBouncedMails = (table: Table, after: string, max: number): Promise<number> =>
  countAcross(table, listPartitions('bounced-mails'), { index: 'list', after, most: max });

/** Makes a withheld mail pending again. @throws OptimisticLockError */
export function resumeMail(mail: Mail): Write {
  return {
    update: {
      Key: mailKey(mail.orderId, mail.id),
      UpdateExpression: 'SET #state = :pending REMOVE settledAt',
      ConditionExpression: '#state = :withheld',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':pending': 'pending', ':withheld': 'withheld' },
    },
    onConditionFailed: lockConflict,
  };
}

/** Part of a transaction that relies on the mail still being pending. @throws OptimisticLockError */
export function checkMailPending(mail: Mail): Write {
  return {
    check: {
      Key: mailKey(mail.orderId, mail.id),
      ConditionExpression: '#state = :pending',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':pending': 'pending' },
    },
    onConditionFailed: lockConflict,
  };
}
