import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { listPartitions, pendingPartitions } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { inFlight } from './count-sales.ts';
import { limitClient } from './limits/limit-client.ts';
import { createPartitionLimits, unitsPerSecond } from './limits/partition-limits.ts';
import type { Charge, Place } from './limits/units.ts';
import { openSalesScene } from './sales-scene.ts';

/** Enough to tell partitions that sales share from those of one sale. */
const sales = 16;
const unlimited = { write: Number.MAX_SAFE_INTEGER, read: Number.MAX_SAFE_INTEGER };

/** What one sale takes of the partitions of a kind. */
export interface KindUnits {
  place: Place;
  kind: Charge['kind'];
  /** What the partitions' keys begin with. */
  head: string;
  unitsPerSale: number;
  /** Over how many partitions that is spread, when all sales are of one seller; undefined when each sale has its own. */
  partitions: number | undefined;
  /** How many sales of one seller these partitions carry in a second. */
  ceiling: number | undefined;
}

/** The kind of a partition: of a list with the list's name. */
export const headOf = (partition: string) => partition.match(/^LIST#[^#]*#/)?.[0] ?? partition.replace(/#.*/, '#');

/**
 * Units that a sale takes from its checkout to the seller's events, by kind of partition, reckoned by the model of the
 * limits. Below stands what the engine says of the same requests.
 */
export async function measureSaleUnits(): Promise<Record<string, string | number>[]> {
  const { kinds, engine } = await reckonSaleUnits();
  const totalOf = (place: Place, kind: Charge['kind']) =>
    kinds.filter((one) => one.place === place && one.kind === kind).reduce((sum, { unitsPerSale }) => sum + unitsPerSale, 0);
  const places: readonly Place[] = ['table', 'list', 'pending'];
  const totals = places.map((place) => ({
    partition: `all of ${place}`,
    'write units': totalOf(place, 'write').toFixed(1),
    'read units': totalOf(place, 'read').toFixed(1),
    'write units, by the engine': (engine.write[place] / sales).toFixed(1),
    'read units, by the engine': (engine.read[place] / sales).toFixed(1),
    'sales a second of one seller': '',
  }));
  const rows = [...Map.groupBy(kinds, ({ place, head }) => `${place} ${head}`)].map(([partition, ofKind]) => {
    const unitsOf = (kind: Charge['kind']) => ofKind.find((one) => one.kind === kind)?.unitsPerSale ?? 0;
    const ceilings = ofKind.flatMap(({ ceiling }) => ceiling ?? []);
    return {
      partition,
      'write units': unitsOf('write').toFixed(1),
      'read units': unitsOf('read').toFixed(1),
      'write units, by the engine': '',
      'read units, by the engine': '',
      'sales a second of one seller': ceilings.length === 0 ? 'no limit' : Math.round(Math.min(...ceilings)),
    };
  });
  return [...rows, ...totals];
}

/** What sales of one seller take, one at a time and unlimited. */
export async function reckonSaleUnits(): Promise<{ kinds: KindUnits[]; engine: Record<Charge['kind'], Record<Place, number>> }> {
  const scene = await openSalesScene({ workers: 1 });
  const limits = createPartitionLimits({ now: scene.clock.milliseconds, perSecond: unlimited });
  const engine = meterEngine(scene.serviceClient);
  limitClient(scene.serviceClient, { limits, items: await scene.readAll(), table: scene.table });
  const sellerId = newId('seller');
  await inFlight(1, Array.from({ length: sales }), async () => scene.sell(scene.paidEvent(await scene.checkOut(sellerId))));
  await scene.settle();
  return { kinds: kindsOf(limits.taken()), engine };
}

function kindsOf(taken: readonly Charge[]): KindUnits[] {
  const groups = Map.groupBy(taken, ({ place, kind, partition }) => `${place} ${kind} ${headOf(partition)}`);
  return [...groups.values()].flatMap((charges) => {
    const [first] = charges;
    if (!first) return [];
    const { place, kind } = first;
    const unitsPerSale = charges.reduce((sum, { units }) => sum + units, 0) / sales;
    const partitions = shardsOf(first, charges.length);
    const ceiling = partitions && (unitsPerSecond[kind] / unitsPerSale) * partitions;
    return { place, kind, head: headOf(first.partition), unitsPerSale, partitions, ceiling };
  });
}

/** As many partitions as sales are one for each sale, or more. */
function shardsOf({ place }: Charge, met: number): number | undefined {
  if (place === 'pending') return pendingPartitions().length;
  if (place === 'list') return listPartitions('orders').length;
  return met >= sales ? undefined : met;
}

/** Sums up what the engine says it consumed of the table and of each index. */
function meterEngine(client: DynamoDBClient) {
  const nothing = (): Record<Place, number> => ({ table: 0, list: 0, pending: 0 });
  const consumed = { write: nothing(), read: nothing() };
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        Object.assign(args.input, { ReturnConsumedCapacity: 'INDEXES' });
        const result = await next(args);
        const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: Consumption | Consumption[] };
        const units = consumed[/Get|Query/.test(commandName) ? 'read' : 'write'];
        for (const { Table, GlobalSecondaryIndexes } of [ConsumedCapacity].flat()) {
          units.table += Table?.CapacityUnits ?? 0;
          units.list += GlobalSecondaryIndexes?.['list']?.CapacityUnits ?? 0;
          units.pending += GlobalSecondaryIndexes?.['pending']?.CapacityUnits ?? 0;
        }
        return result;
      },
    { step: 'initialize', name: 'meterEngine' },
  );
  return consumed;
}

interface Consumption {
  Table?: { CapacityUnits?: number };
  GlobalSecondaryIndexes?: Record<string, { CapacityUnits?: number }>;
}
