import { newId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { countSales, inFlight } from './count-sales.ts';
import { limitClient } from './limits/limit-client.ts';
import { createPartitionLimits, type PartitionLimits, unitsPerSecond } from './limits/partition-limits.ts';
import { createModelClock, type ModelClock } from './model-clock.ts';
import { headOf, type KindUnits, reckonSaleUnits } from './sale-units.ts';
import { openSalesScene, type SalesScene } from './sales-scene.ts';

/** How long the sales of one run come in, by the machine's clock; BENCH_LIMITS_SECONDS may say otherwise. */
const runSeconds = Number(process.env['BENCH_LIMITS_SECONDS'] ?? 12);
const sellersOf = { 'one seller': 1, 'many sellers': 200 };
/** Of what the partitions carry by arithmetic. */
const loads = [0.8, 1.2];
/** How much slower sales come than this machine could make them, so that the limits and not the machine decide. */
const spare = 1.5;
const workers = 500;
const trialSales = 64;
/** How long a buyer waits whose checkout was refused. */
const retryMs = 1000;
const mostRows = 3;

/**
 * Sales that come at a fixed rate, behind the limits of the table's partitions: below and above what the partitions carry
 * by arithmetic. Which partitions turn requests away, and how many licenses are issued a second while the sales come in.
 * The model's second is as long as this machine needs; pauses of the service and its lease are by the model's clock, those
 * of the SDK by the machine's. Each run begins with the partitions that sales share used up. Afterwards retries and the
 * sweeper bring every sale to its end: one that is lost or doubled fails the command.
 */
export async function measureSalesAtLimits(): Promise<Record<string, string | number>[]> {
  const { kinds } = await reckonSaleUnits();
  const machineRate = await trial();
  const rows = [];
  for (const [who, sellers] of Object.entries(sellersOf)) {
    const ceiling = ceilingOf(kinds, sellers);
    for (const load of loads) rows.push(...(await run({ who, sellers, rate: load * ceiling, ceiling, machineRate, kinds })));
  }
  return rows;
}

/** With many sellers each has partitions of its own. */
function ceilingOf(kinds: readonly KindUnits[], sellers: number): number {
  const shared = kinds.filter(({ place }) => sellers === 1 || place !== 'table');
  return Math.min(...shared.flatMap(({ ceiling }) => ceiling ?? []));
}

/** How many sales a second this machine makes behind the model, without limits. */
async function trial(): Promise<number> {
  const limits = createPartitionLimits({ now: () => 0, perSecond: { write: Number.MAX_SAFE_INTEGER, read: Number.MAX_SAFE_INTEGER } });
  const scene = await openLimitedScene(createModelClock(), limits);
  const began = performance.now();
  await inFlight(64, Array.from({ length: trialSales }), async () => scene.sell(scene.paidEvent(await scene.checkOut(newId('seller')))));
  await scene.settle();
  return trialSales / ((performance.now() - began) / 1000);
}

async function openLimitedScene(clock: ModelClock, limits: PartitionLimits): Promise<SalesScene> {
  const scene = await openSalesScene({ clock, workers });
  limitClient(scene.serviceClient, { limits, items: await scene.readAll(), table: scene.table });
  return scene;
}

interface Run {
  who: string;
  sellers: number;
  /** Sales a second. */
  rate: number;
  ceiling: number;
  machineRate: number;
  kinds: readonly KindUnits[];
}

async function run({ who, sellers, rate, ceiling, machineRate, kinds }: Run) {
  const clock = createModelClock({ slowness: Math.max(1, (spare * rate) / machineRate) });
  const limits = createPartitionLimits({ now: clock.milliseconds });
  const scene = await openLimitedScene(clock, limits);
  const sellerIds = Array.from({ length: sellers }, () => newId('seller'));
  useUp(limits, kinds, sellerIds);

  const orders: Order[] = [];
  const underWay: Promise<void>[] = [];
  const count = Math.ceil((machineRate / spare) * runSeconds);
  const began = clock.milliseconds();
  for (let come = 0; come < count; come += 1) {
    await clock.wait(Math.max(0, began + (come / rate) * 1000 - clock.milliseconds()));
    underWay.push(sellOne(scene, sellerIds[come % sellers] ?? newId('seller'), orders));
  }
  const seconds = (clock.milliseconds() - began) / 1000;
  const issued = scene.licensesIssued();
  const turnedAway = limits.throttled();
  clock.hurry();
  await Promise.all(underWay);
  await scene.settle();
  const outcome = await countSales(scene, orders);

  const byKind = Map.groupBy(turnedAway, ({ place, kind, partition }) => `${place} ${headOf(partition)} ${kind}s`);
  const most = [...byKind].map(([name, ones]) => ({ name, times: ones.reduce((sum, { times }) => sum + times, 0) }));
  const saturated = most.toSorted((a, b) => b.times - a.times).slice(0, mostRows);
  return (saturated.length > 0 ? saturated : [{ name: 'none', times: 0 }]).map(({ name, times }, index) => {
    const units = kinds.find(({ place, head, kind }) => `${place} ${head} ${kind}s` === name);
    const ofRun = {
      sales: `${count}, ${who}`,
      seconds: seconds.toFixed(1),
      'offered a second': Math.round(count / seconds),
      'licenses a second': Math.round(issued / seconds),
      'of the ceiling': (issued / seconds / ceiling).toFixed(2),
      ...outcome,
    };
    return {
      ...(index === 0 ? ofRun : Object.fromEntries(Object.keys(ofRun).map((column) => [column, '']))),
      'turned away by': name,
      times,
      'units a sale': units?.unitsPerSale.toFixed(1) ?? '',
      'reckoned ceiling': Math.round(units?.ceiling ?? ceiling),
    };
  });
}

/** As if sales had come before: else a run would begin with what a second has room for. */
function useUp(limits: PartitionLimits, kinds: readonly KindUnits[], sellerIds: readonly string[]): void {
  for (const { place, kind, head, partitions } of kinds) {
    const isShared = place !== 'table' || sellerIds.length === 1;
    if (partitions === undefined || !isShared) continue;
    const names =
      place === 'table' ? sellerIds.map((id) => `${head}${id}`) : Array.from({ length: partitions }, (_, shard) => `${head}${shard}`);
    limits.charge(names.map((partition) => ({ place, partition, kind, units: unitsPerSecond[kind] - 1 })));
  }
}

/** A buyer whose checkout is refused tries again. */
async function sellOne(scene: SalesScene, sellerId: Parameters<SalesScene['checkOut']>[0], orders: Order[]): Promise<void> {
  for (;;) {
    const order = await scene.checkOut(sellerId).catch(() => undefined);
    if (order) {
      orders.push(order);
      await scene.sell(scene.paidEvent(order));
      return;
    }
    await scene.clock.wait(retryMs);
  }
}
