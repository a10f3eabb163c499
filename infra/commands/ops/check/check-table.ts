import type { Item } from '../../../../shared/db/table.ts';
import { createCodeTally, digestStock } from './code-tally.ts';
import { createExamine } from './examine.ts';
import { itemKindOf, wordsOf } from './rules.ts';
import { createTableReader, type ReaderOptions } from './table-reader.ts';

/** So many items are examined at once, of each segment. */
const itemsAtOnce = 100;

export interface CheckOptions extends ReaderOptions {
  segments: number;
  /** Told of each fault as soon as it is certain. */
  onFault: (fault: string) => void;
  onProgress?: (progress: Progress) => void;
}

export interface Progress {
  items: number;
  units: number;
  faults: number;
}

export interface Summary extends Progress {
  /** How many items of each kind there are. */
  counts: Map<string, number>;
  /** How many changed whenever they were looked at. */
  unsettled: number;
}

/**
 * Examines every item of the table once, with whatever it has to agree with. It only reads, and what changes meanwhile is no fault.
 *
 * In memory: of each segment a page of the scan, at most 1 MB, and what a hundred items refer to, such as the
 * devices of a license; for the whole table, five numbers for each product with imported codes and import.
 */
export async function checkTable({ segments, onFault, onProgress, ...options }: CheckOptions): Promise<Summary> {
  const begunAt = new Date().toISOString();
  const reader = createTableReader(options);
  const examine = createExamine({ reader, wait: options.wait });
  const tally = createCodeTally();
  const counts = new Map<string, number>();
  let [items, faults, unsettled] = [0, 0, 0];

  const tell = (fault: string) => {
    faults += 1;
    onFault(fault);
  };

  async function examineAll(group: readonly Item[]): Promise<void> {
    const verdicts = await Promise.all(group.map(examine));
    for (const verdict of verdicts) {
      verdict.faults.forEach(tell);
      if (verdict.unsettled) unsettled += 1;
    }
    items += group.length;
    onProgress?.({ items, units: reader.unitsRead(), faults });
  }

  await forEachSegment(segments, async (segment) => {
    for await (const page of reader.scan(segment, segments, false)) {
      for (const item of page) {
        const kind = itemKindOf(item);
        const name = kind ? wordsOf(kind.name) : 'unknown';
        counts.set(name, (counts.get(name) ?? 0) + 1);
        tally.add(item);
      }
      for (let at = 0; at < page.length; at += itemsAtOnce) await examineAll(page.slice(at, at + itemsAtOnce));
    }
  });

  /** Codes are counted anew where they did not agree; only while none of them is sold can that be told. */
  async function settleCodes(): Promise<void> {
    const suspected = tally.disagreeing();
    if (suspected.length === 0) return;
    const before = await digestStock(suspected, reader);
    const again = createCodeTally();
    await forEachSegment(segments, async (segment) => {
      for await (const page of reader.scan(segment, segments, true)) page.forEach(again.add);
    });
    const after = await digestStock(suspected, reader);
    const disagreeing = again.disagreeing().filter((productId) => before.has(productId));
    for (const productId of disagreeing) {
      if (before.get(productId) === after.get(productId)) tell(again.tell(productId));
      else unsettled += 1;
    }
  }

  tally.batchFaults(begunAt).forEach(tell);
  await settleCodes();
  return { items, units: reader.unitsRead(), faults, counts, unsettled };
}

const forEachSegment = (segments: number, work: (segment: number) => Promise<void>) =>
  Promise.all(Array.from({ length: segments }, (_, segment) => work(segment)));
