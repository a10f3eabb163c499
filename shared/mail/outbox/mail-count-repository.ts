/** Limits the mails to an address. See "How many mails an address gets" in shared/mail/README.md */

import * as z from 'zod/mini';
import type { Needs } from '../../context.ts';
import { mailingsKey, waitingMailKey } from '../../db/keys.ts';
import { lockConflict, putRevision, retryOptimisticLock } from '../../db/optimistic-lock.ts';
import type { Item, Write } from '../../db/table.ts';
import type { OrderId } from '../../ids.ts';
import { dateTime } from '../../schemas.ts';

/**
 * Why an address gets a mail that counts: it asked for fresh links, a seller or an admin had its link sent again, or it
 * was free to whoever caused it. Older items say `desk` of admins too, and `free_order` of what is free.
 */
const causes = ['address', 'desk', 'admin', 'free', 'free_order'] as const;
export type CountedCause = Exclude<(typeof causes)[number], 'free_order'>;

const maxMails = 10;
const maxRequestedMails = 3;
const windowMs = 3600_000;

/** Of the mails of these causes an address gets so many in any hour; one more is refused, or waits for its turn. */
const limits: readonly { max: number; causes: readonly (typeof causes)[number][]; mayWait: boolean }[] = [
  { max: maxRequestedMails, causes: ['address'], mayWait: false },
  { max: maxMails, causes: ['address', 'desk', 'admin'], mayWait: false },
  { max: maxMails, causes: ['address', 'desk', 'free', 'free_order'], mayWait: true },
];

/** Longer than a mail waits between two looks at whether its turn has come. */
const waitingKeptMs = 24 * 3600_000;

/** The mails to an address that count at the moment, the oldest first. */
const CountedMail = z.object({ mailId: z.string(), at: dateTime, cause: z._default(z.enum(causes), 'address') });

export const RecentMails = z.object({ latest: z.array(CountedMail), revision: z.int() });
type RecentMails = z.infer<typeof RecentMails>;

/** The latest of the mails of one kind, and about one thing, that wait for their turn at an address. */
export const WaitingMail = z.object({ mailId: z.string() });

/** A mail to an address, by an id of its own. */
export interface NewMailing {
  /** The keyed hash of the address without what tells apart the folders of its mailbox. */
  mailboxHash: string;
  /** Sorts after that of an earlier mail of its kind. */
  mailId: string;
  cause: CountedCause;
}

/** Whether the address may get a mail: with the write that counts it, or after some seconds. */
type Admission = { write: Write; waitSeconds?: undefined } | { waitSeconds: number; mayWait: boolean };

/** `replaced`: a later mail of its kind has taken its place. */
export type MailTurn = { turn: 'now' | 'refused' | 'replaced' } | { turn: 'later'; waitSeconds: number };

/** Fifty mails may go to one address at once; ten of them succeed. */
const attempts = 20;

/** The id under which a mail of the outbox is counted: every order has an issuance mail. */
export const countedMailId = (orderId: OrderId, mailId: string) => `${orderId}/${mailId}`;

/** What the count of an address says of one more mail. One that is tried again is counted once, at the time of the last attempt. */
function admit(c: Needs<'now'>, read: RecentMails, { mailboxHash, mailId, cause }: NewMailing): Admission {
  const now = c.now().getTime();
  const recent = read.latest.filter(({ at }) => Date.parse(at) > now - windowMs);
  const others = recent.filter((mail) => mail.mailId !== mailId);
  for (const limit of limits.filter((one) => one.causes.includes(cause))) {
    const blocking = others.filter((mail) => limit.causes.includes(mail.cause)).at(-limit.max);
    if (blocking) return { waitSeconds: Math.ceil((Date.parse(blocking.at) + windowMs - now) / 1000), mayWait: limit.mayWait };
  }
  const before = recent.find((mail) => mail.mailId === mailId);
  const latest = [...others, { mailId, at: new Date(now).toISOString(), cause: before?.cause ?? cause }];
  const ttl = Math.ceil((now + windowMs) / 1000);
  return { write: putRevision(read, { ...mailingsKey(mailboxHash), latest, ttl }) };
}

const recentMailsIn = (item: Item | undefined): RecentMails => (item ? RecentMails.parse(item) : { latest: [], revision: 0 });

/** The write that counts one more mail. Counted meanwhile by others → OptimisticLockError. */
export const admitMail = async (c: Needs<'table' | 'now'>, mail: NewMailing): Promise<Admission> =>
  admit(c, recentMailsIn(await c.table.get(mailingsKey(mail.mailboxHash))), mail);

/** Records that of what waits the mail is the latest, unless a later one came meanwhile, which is an OptimisticLockError. */
function keepAsLatest(c: Needs<'now'>, { mailboxHash, mailId }: NewMailing, about: string): Write {
  const ttl = Math.ceil((c.now().getTime() + waitingKeptMs) / 1000);
  return {
    put: {
      Item: { ...waitingMailKey(mailboxHash, about), mailId, ttl },
      ConditionExpression: 'attribute_not_exists(pk) OR mailId <= :mailId',
      ExpressionAttributeValues: { ':mailId': mailId },
    },
    onConditionFailed: lockConflict,
  };
}

/**
 * Counts the mail if its turn has come. Of those that wait and are about the same the later one takes the earlier one's
 * place.
 *
 * @param about the kind of the mail, and the order or other thing that it is about
 */
export const takeMailTurn = (c: Needs<'table' | 'now'>, mail: NewMailing, about: string): Promise<MailTurn> =>
  retryOptimisticLock(
    async () => {
      const waitingKey = waitingMailKey(mail.mailboxHash, about);
      const items = await c.table.batchGet([mailingsKey(mail.mailboxHash), waitingKey]);
      const waiting = items.find(({ sk }) => sk === waitingKey.sk);
      if (waiting && WaitingMail.parse(waiting).mailId > mail.mailId) return { turn: 'replaced' };
      const admission = admit(c, recentMailsIn(items.find(({ sk }) => sk !== waitingKey.sk)), mail);
      if (admission.waitSeconds === undefined) {
        await c.table.transact([admission.write, ...(waiting ? [keepAsLatest(c, mail, about)] : [])]);
        return { turn: 'now' };
      }
      if (!admission.mayWait) return { turn: 'refused' };
      await c.table.write(keepAsLatest(c, mail, about));
      return { turn: 'later', waitSeconds: admission.waitSeconds };
    },
    { attempts },
  );
