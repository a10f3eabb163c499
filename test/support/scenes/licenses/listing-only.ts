import { listPartitions } from '../../../../shared/db/keys.ts';
import type { Table } from '../../../../shared/db/table.ts';
import type { LicenseId } from '../../../../shared/ids.ts';

/** The table with lists that hold nothing but this license, as one that is moving: so that re-keying makes few requests. */
export const listingOnly = (table: Table, licenseId: LicenseId): Table => ({
  ...table,
  async query(query) {
    if (query.index !== 'list') return table.query(query);
    const items = query.partition === listPartitions('moving-licenses')[0] ? [{ licenseId, lookup: '', listSk: licenseId }] : [];
    return { items, more: false, count: items.length, lastKey: undefined };
  },
});
