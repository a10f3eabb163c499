import { newId } from '../../../shared/ids.ts';
import { openBareTable, recordTransactions } from './bare-sales.ts';
import { countSales, inFlight } from './count-sales.ts';
import { openSalesScene } from './sales-scene.ts';

/** BENCH_SALES may ask for fewer. */
const sales = Number(process.env['BENCH_SALES'] ?? 2000);
const lanes = 64;
const warmUps = 64;

/**
 * How many paid events become licenses, mails and events in a second, 64 in flight, beside the transactions of as many
 * sales with nothing else. A sale that is lost or doubled fails the command.
 */
export async function measureSales(): Promise<Record<string, string | number>[]> {
  const scene = await openSalesScene();
  const sellers = Array.from({ length: 50 }, () => newId('seller'));
  const checkOut = async (count: number) => {
    const orders = [];
    for (let made = 0; made < count; made += 1) orders.push(await scene.checkOut(sellers[made % sellers.length] ?? newId('seller')));
    return orders;
  };
  const first = await checkOut(1);
  const recording = recordTransactions(scene.serviceClient);
  await inFlight(1, first, (order) => scene.sell(scene.paidEvent(order)));
  await scene.settle();
  const shape = recording.stop();
  const bare = await openBareTable(shape);

  const rounds = Array.from({ length: sales });
  await inFlight(lanes, rounds.slice(0, warmUps), bare);
  const bareSeconds = await secondsOf(() => inFlight(lanes, rounds, bare));
  const warm = await checkOut(warmUps);
  await inFlight(lanes, warm, (order) => scene.sell(scene.paidEvent(order)));
  await scene.settle();
  const orders = await checkOut(sales);
  const seconds = await secondsOf(async () => {
    await inFlight(lanes, orders, (order) => scene.sell(scene.paidEvent(order)));
    await scene.settle();
  });
  const { lost, doubled } = await countSales(scene, orders);
  const rateOf = (taken: number) => Math.round(sales / taken);
  return [
    {
      what: `bare, ${shape.length} transactions a sale`,
      sales,
      lost: '',
      doubled: '',
      'sales a second': rateOf(bareSeconds),
      'of bare': '1.00',
    },
    { what: 'paid events', sales, lost, doubled, 'sales a second': rateOf(seconds), 'of bare': (bareSeconds / seconds).toFixed(2) },
  ];
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
