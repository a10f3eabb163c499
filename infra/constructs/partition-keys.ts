import { type PartitionName, partitions } from '../../shared/db/keys.ts';

/** What the partition keys of these are like, for a condition on `dynamodb:LeadingKeys`. */
export const keysIn = (names: readonly PartitionName[]): string[] => names.map((name) => partitions[name].replace(/#$/, '#*')).sort();
