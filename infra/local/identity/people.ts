import { createHash, randomBytes } from 'node:crypto';
import type { Table } from '../../../shared/db/table.ts';
import { isSameAddress } from '../../../shared/email-address.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { findSellerOfUser, listSellers } from '../../../shared/sellers/seller-repository.ts';
import type { Person } from './identity-state.ts';

/** The hint by which somebody signs in of whom nothing is known yet. */
export const newcomerHint = 'new';

/** Somebody who can sign in, as the page offers them. */
export interface SignInOption {
  hint: string;
  /** A seller's name; the entry of an admin. */
  name: string;
  role: 'seller' | 'admin';
}

const offeredSellers = 100;

export type People = ReturnType<typeof createPeople>;

/** Who can sign in locally: the admins of the allowlist, the owners of the sellers that there are, and anyone new. */
export function createPeople({ table, allowlist }: { table: Table; allowlist: string }) {
  const admins = allowlist
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(adminOf);

  async function* eachSeller(): AsyncGenerator<SellerRecord> {
    let cursor: string | undefined;
    do {
      const page = await listSellers(table, { limit: 100, ...(cursor !== undefined && { cursor }) });
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /** An owner by an address of theirs that was verified or, where none was, by the one that the seller gave. */
  async function findOwnerByAddress(address: string): Promise<Person | undefined> {
    let byContact: Person | undefined;
    for await (const seller of eachSeller()) {
      const verified = [...(seller.ownerEmails ?? [])].find((email) => isSameAddress(email, address));
      if (verified !== undefined) return { userId: seller.ownerUserId, email: verified };
      if (isSameAddress(seller.contactEmail ?? '', address)) byContact ??= ownerOf(seller);
    }
    return byContact;
  }

  return {
    admins,

    /** Whom the hint names: the user id or an address of an owner, an entry of the allowlist, or `new`. */
    async find(hint: string): Promise<Person | undefined> {
      if (hint === newcomerHint) return newPerson();
      const admin = admins.find((entry) => isSameAddress(entry.hint, hint));
      if (admin) return admin.person;
      const seller = /^[\x21-\x7e]{1,128}$/.test(hint) ? await findSellerOfUser(table, hint) : undefined;
      if (seller) return ownerOf(seller);
      return hint.includes('@') && hint.length <= 254 ? findOwnerByAddress(hint) : undefined;
    },

    /** The admins, then the oldest sellers. */
    async list(): Promise<SignInOption[]> {
      const offered: SignInOption[] = admins.map(({ hint }) => ({ hint, name: hint, role: 'admin' }));
      const { items } = await listSellers(table, { limit: offeredSellers });
      return [
        ...offered,
        ...items.map(({ ownerUserId, displayName }): SignInOption => ({ hint: ownerUserId, name: displayName, role: 'seller' })),
      ];
    },
  };
}

function ownerOf({ ownerUserId, ownerEmails }: SellerRecord): Person {
  const [email] = ownerEmails ?? [];
  return { userId: ownerUserId, email };
}

/** An entry of the allowlist: an address, or `sub:` and a user id. Without an address in the id, no record of a review holds one. */
function adminOf(entry: string): { hint: string; person: Person } {
  if (entry.startsWith('sub:')) return { hint: entry.slice('sub:'.length), person: { userId: entry.slice('sub:'.length) } };
  const digest = createHash('sha256').update(entry.toLowerCase()).digest('hex');
  return { hint: entry, person: { userId: `admin-${digest.slice(0, 16)}`, email: entry } };
}

function newPerson(): Person {
  const name = `new-${randomBytes(6).toString('hex')}`;
  return { userId: name, email: `${name}@example.com` };
}
