import { type IndexName, queueAttributes } from '../../shared/db/keys.ts';

export interface TableIndex {
  indexName: IndexName;
  partitionKey: string;
  sortKey: string;
  /** What it holds of an item besides keys; of one that does not say, whole items. */
  nonKeyAttributes?: string[];
}

const index = (indexName: IndexName, nonKeyAttributes?: string[]): TableIndex => ({
  indexName,
  partitionKey: `${indexName}Pk`,
  sortKey: `${indexName}Sk`,
  ...(nonKeyAttributes && { nonKeyAttributes }),
});

/** The table's indexes; `shared/db/keys.ts` says what is in each. See "Add an index" in shared/db/README.md */
export const tableIndexes: readonly TableIndex[] = [index('list'), index('pending'), index('queue', [...queueAttributes])];
