import { createHash } from 'node:crypto';
import { type Item, ifAbsent, type Table, type Write } from '../../../shared/db/table.ts';

/** A way to see to it that a license of `seats` seats gives no more, as the fewest writes on a table. */
export interface SeatCounting {
  name: string;
  /** What validate would read, to tell of the license, the device and how many seats are taken. */
  validateReads: string;
  /** The items of a license of which the first `taken` seats are taken. */
  itemsOf(seats: number, taken: number): Iterable<Item>;
  /** Gives a device that has none a seat; false when it found none free. @throws AppError dependency_unavailable */
  takeSeat(table: Table, seats: number, device: string): Promise<boolean>;
}

class FullError extends Error {}
class SeatTakenError extends Error {}

const counters = 64;
/** After so many taken ones a device is refused, though a seat may be free. */
const mostDraws = 200;

const partition = 'LICENSE#site';
const counterKey = (counter: number) => ({ pk: `${partition}#${counter}`, sk: 'COUNT' });
const seatKey = (seat: number) => ({ pk: `${partition}#SEAT#${seat}`, sk: 'SEAT' });
const homeOf = (device: string) => createHash('sha256').update(device).digest().readUInt16BE() % counters;
const draw = (below: number) => Math.floor(Math.random() * below);
const range = (length: number) => Array.from({ length }, (_, index) => index);

/** The shares of the counters make up all seats. */
const shareOf = (all: number, counter: number) => Math.floor((all + counter) / counters);

const deviceOf = (pk: string, device: string): Write => ({ put: { Item: { pk, sk: `DEVICE#${device}` }, ...ifAbsent } });

const countOne = (key: { pk: string; sk: string }): Write => ({
  update: {
    Key: key,
    UpdateExpression: 'SET taken = taken + :one',
    ConditionExpression: 'attribute_not_exists(revokedAt) AND taken < seats',
    ExpressionAttributeValues: { ':one': 1 },
  },
  onConditionFailed: () => new FullError(),
});

/** As it is today: the license counts its seats. */
const oneCount: SeatCounting = {
  name: 'one count',
  validateReads: '2 items',
  itemsOf: (seats, taken) => [{ pk: partition, sk: 'LICENSE', seats, taken }],
  takeSeat: (table, _, device) => commit(table, [deviceOf(partition, device), countOne({ pk: partition, sk: 'LICENSE' })]),
};

/** Each counter has a share of the seats and a copy of the status; a device beyond its counter's share looks for another with room. */
const shardedCount: SeatCounting = {
  name: `${counters} counts`,
  validateReads: `${counters + 2} items`,
  itemsOf: (seats, taken) => range(counters).map((n) => ({ ...counterKey(n), seats: shareOf(seats, n), taken: shareOf(taken, n) })),
  async takeSeat(table, _, device) {
    const home = homeOf(device);
    const take = (counter: number) => commit(table, [deviceOf(`${partition}#${home}`, device), countOne(counterKey(counter))]);
    if (await take(home)) return true;
    for (;;) {
      const counts = await table.batchGet(range(counters).map(counterKey));
      const free = counts.filter(({ seats, taken }) => Number(taken) < Number(seats));
      const chosen = free[draw(free.length)];
      if (!chosen) return false;
      if (await take(Number(String(chosen['pk']).slice(partition.length + 1)))) return true;
    }
  },
};

/** Each seat is an item that is put once: a device draws seats until it meets one that nobody has. */
const numberedSeats: SeatCounting = {
  name: 'numbered seats',
  validateReads: '2 items, and no count',
  itemsOf: (_, taken) => range(taken).map(seatKey),
  async takeSeat(table, seats, device) {
    for (let draws = 0; draws < mostDraws; draws += 1) {
      const seat: Write = { put: { Item: seatKey(draw(seats)), ...ifAbsent }, onConditionFailed: () => new SeatTakenError() };
      if (await commit(table, [deviceOf(`${partition}#DEVICE#${device}`, device), seat])) return true;
    }
    return false;
  },
};

export const seatCountings = { oneCount, shardedCount, numberedSeats };

async function commit(table: Table, writes: readonly Write[]): Promise<boolean> {
  try {
    await table.transact(writes);
    return true;
  } catch (error) {
    if (error instanceof FullError || error instanceof SeatTakenError) return false;
    throw error;
  }
}

/** How many devices have a seat by the records of the devices, and how many seats are taken by whatever counts them. */
export function countTaken(items: readonly Item[]): { devices: number; seats: number } {
  const seats = items.reduce((sum, { sk, taken }) => sum + (sk === 'SEAT' ? 1 : Number(taken ?? 0)), 0);
  return { devices: items.filter(({ sk }) => String(sk).startsWith('DEVICE#')).length, seats };
}
