/**
 * Limits the mails with links to an address: at most 10 in any hour, 3 of them requested by the buyer. See "How many
 * mails an address gets" in shared/mail/README.md
 */

import * as z from 'zod/mini';
import type { Needs } from '../../context.ts';
import { mailingRequestKey, mailingsKey } from '../../db/keys.ts';
import { lockConflict, replaceUnchanged, retryOptimisticLock } from '../../db/optimistic-lock.ts';
import { ifAbsent, type Table, type Write } from '../../db/table.ts';
import type { OrderId } from '../../ids.ts';
import { locales } from '../../locale.ts';
import { dateTime } from '../../schemas.ts';

/**
 * Why an address gets links: the buyer asked for them, a seller or an admin sent them, or someone ordered something
 * free under the address.
 */
const causes = ['address', 'desk', 'free_order'] as const;

export type LinkMailCause = (typeof causes)[number];

/** How many mails with links an address gets, and how many of them because it asked, in how long. */
const maxLinkMails = 10;
const maxRequestedLinkMails = 3;
const windowMs = 3600_000;

/** Longer than its job is retried. */
const requestKeptMs = 3 * 24 * 3600_000;

const LinkMailRequest = z.object({
  /** The address as the table knows it: its keyed hashes, that of the current key first. */
  emailHashes: z.array(z.string()),
  /** In which language it was asked for, if that is known. */
  locale: z.optional(z.enum(locales)),
});
type LinkMailRequest = z.infer<typeof LinkMailRequest>;

/** The mails with links to an address that count at the moment, the oldest first. */
const LinkMail = z.object({ mailId: z.string(), at: dateTime, cause: z._default(z.enum(causes), 'address') });

export const RecentLinkMails = z.object({ latest: z.array(LinkMail), revision: z.int() });
type RecentLinkMails = z.infer<typeof RecentLinkMails>;

/** A mail to an address, by an id of its own. */
interface NewLinkMail {
  emailHash: string;
  mailId: string;
  cause: LinkMailCause;
}

/** Whether the address may get a mail: with the writes that count it, or after some seconds. */
type Admission = { writes: readonly Write[]; waitSeconds?: undefined } | { waitSeconds: number };

/** Fifty requests may mail one address at once; ten of them succeed. */
const attempts = 20;

/** The id under which a mail of the outbox is counted: every order has an issuance mail. */
export const linkMailIdOf = (orderId: OrderId, mailId: string) => `${orderId}/${mailId}`;

async function readLinkMails(table: Table, emailHash: string): Promise<RecentLinkMails> {
  const item = await table.get(mailingsKey(emailHash));
  return item ? RecentLinkMails.parse(item) : { latest: [], revision: 0 };
}

function replaceLinkMails(c: Needs<'now'>, emailHash: string, read: RecentLinkMails, latest: RecentLinkMails['latest']): Write {
  const ttl = Math.ceil((c.now().getTime() + windowMs) / 1000);
  const item = { ...mailingsKey(emailHash), latest, revision: read.revision + 1, ttl };
  return read.revision === 0 ? { put: { Item: item, ...ifAbsent }, onConditionFailed: lockConflict } : replaceUnchanged(read, item);
}

/** The same mail may be sent again, however often it is tried. Counted meanwhile by others → OptimisticLockError. */
export async function admitLinkMail(c: Needs<'table' | 'now'>, { emailHash, mailId, cause }: NewLinkMail): Promise<Admission> {
  const read = await readLinkMails(c.table, emailHash);
  if (read.latest.some((mailing) => mailing.mailId === mailId)) return { writes: [] };
  const at = c.now().getTime();
  const recent = read.latest.filter((mailing) => Date.parse(mailing.at) > at - windowMs);
  const own = cause === 'address' ? recent.filter((mailing) => mailing.cause === cause) : [];
  const blocking = recent.at(-maxLinkMails) ?? own.at(-maxRequestedLinkMails);
  if (!blocking) return { writes: [replaceLinkMails(c, emailHash, read, [...recent, { mailId, at: new Date(at).toISOString(), cause }])] };
  return { waitSeconds: Math.ceil((Date.parse(blocking.at) + windowMs - at) / 1000) };
}

/** Records which address is to get the mail, and in which language; part of the transaction that adds its job. */
export function requestLinkMail(c: Needs<'now'>, mailId: string, request: LinkMailRequest): Write {
  const ttl = Math.ceil((c.now().getTime() + requestKeptMs) / 1000);
  return { put: { Item: { ...mailingRequestKey(mailId), ...request, ttl }, ...ifAbsent } };
}

/** The request; undefined if it has expired. */
export async function findLinkMailRequest(table: Table, mailId: string): Promise<LinkMailRequest | undefined> {
  const item = await table.get(mailingRequestKey(mailId));
  return item && LinkMailRequest.parse(item);
}

/** Counts the mail at once; resolves to the seconds until the address may get it, undefined when that is now. */
export const countLinkMail = (c: Needs<'table' | 'now'>, mailing: NewLinkMail): Promise<number | undefined> =>
  retryOptimisticLock(
    async () => {
      const admission = await admitLinkMail(c, mailing);
      if (admission.waitSeconds !== undefined) return admission.waitSeconds;
      for (const write of admission.writes) await c.table.write(write);
      return undefined;
    },
    { attempts },
  );
