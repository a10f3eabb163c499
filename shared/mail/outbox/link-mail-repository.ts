/** Requests for fresh links. See "Fresh links" in shared/mail/outbox.md */

import * as z from 'zod/mini';
import type { Needs } from '../../context.ts';
import { mailingRequestKey } from '../../db/keys.ts';
import { ifAbsent, type Table, type Write } from '../../db/table.ts';
import { locales } from '../../locale.ts';

/** Longer than its job is retried. */
const requestKeptMs = 3 * 24 * 3600_000;

const LinkMailRequest = z.object({
  /** The address as the table knows it: its keyed hashes, that of the current key first. */
  emailHashes: z.array(z.string()),
  /** Under which its mails are counted; of older requests its first hash. */
  mailboxHash: z.optional(z.string()),
  /** In which language it was asked for, if that is known. */
  locale: z.optional(z.enum(locales)),
});
type LinkMailRequest = z.infer<typeof LinkMailRequest>;

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
