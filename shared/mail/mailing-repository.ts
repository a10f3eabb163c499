import * as z from 'zod/mini';
import { mailingRequestKey, mailingsKey } from '../db/keys.ts';
import { lockConflict, replaceUnchanged, retryOptimisticLock } from '../db/optimistic-lock.ts';
import { ifAbsent, type Table, type Write } from '../db/table.ts';
import { dateTime } from '../schemas.ts';

/** How often an address can have its links sent, in how long. */
const mostMailings = 3;
const windowMs = 3600_000;
/** Longer than its job is tried. */
const requestKeptMs = 3 * 24 * 3600_000;

/** An address as the table knows it: its keyed hashes, that of the current key first. */
const MailingRequest = z.object({ emailHashes: z.array(z.string()) });

/** The mailings of fresh links to an address that count at the moment. */
const Mailings = z.object({ latest: z.array(z.object({ mailId: z.string(), at: dateTime })), revision: z.int() });
type Mailings = z.infer<typeof Mailings>;

export type MailingRepository = ReturnType<typeof createMailingRepository>;

/** Which mails with fresh links an address gets: at most 3 in any hour. See "Fresh links" in README.md */
export function createMailingRepository({ table, now = () => new Date() }: { table: Table; now?: () => Date }) {
  async function readMailings(emailHash: string): Promise<Mailings> {
    const item = await table.get(mailingsKey(emailHash));
    return item ? Mailings.parse(item) : { latest: [], revision: 0 };
  }

  function replaceMailings(emailHash: string, read: Mailings, latest: Mailings['latest']): Write {
    const ttl = Math.ceil((now().getTime() + windowMs) / 1000);
    const item = { ...mailingsKey(emailHash), latest, revision: read.revision + 1, ttl };
    return read.revision === 0 ? { put: { Item: item, ...ifAbsent }, onConditionFailed: lockConflict } : replaceUnchanged(read, item);
  }

  return {
    /** Records which address is to get the mail; part of the transaction that adds its job. */
    requestMailing(mailId: string, emailHashes: readonly string[]): Write {
      const ttl = Math.ceil((now().getTime() + requestKeptMs) / 1000);
      return { put: { Item: { ...mailingRequestKey(mailId), emailHashes, ttl }, ...ifAbsent } };
    },

    /** The keyed hashes of the address that is to get the mail; undefined when it is forgotten. */
    async findRequested(mailId: string): Promise<string[] | undefined> {
      const item = await table.get(mailingRequestKey(mailId));
      return item && MailingRequest.parse(item).emailHashes;
    },

    /** Whether the address may get this mail; the same mail may be sent again, however often it is tried. */
    async admitMailing(emailHash: string, mailId: string): Promise<boolean> {
      return retryOptimisticLock(async () => {
        const read = await readMailings(emailHash);
        if (read.latest.some((mailing) => mailing.mailId === mailId)) return true;
        const since = new Date(now().getTime() - windowMs).toISOString();
        const recent = read.latest.filter(({ at }) => at > since);
        if (recent.length >= mostMailings) return false;
        await table.write(replaceMailings(emailHash, read, [...recent, { mailId, at: now().toISOString() }]));
        return true;
      });
    },
  };
}
