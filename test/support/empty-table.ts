import type { Table } from '../../shared/db/table.ts';

const refuse = async () => {
  throw new Error('Nothing is to be written.');
};

/** A table that holds nothing and takes nothing, for what only reads. */
export const emptyTable: Table = {
  get: async () => undefined,
  batchGet: async () => [],
  query: async () => ({ items: [], more: false, count: 0, lastKey: undefined }),
  write: refuse,
  transact: refuse,
  transactOnce: refuse,
};
