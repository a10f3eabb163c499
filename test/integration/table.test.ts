import { describe, expect, test } from '@jest/globals';
import { ConditionFailedError, TransactionCancelled } from '../../shared/db/dynamo/dynamo.ts';
import { createTable, type Item, ifAbsent, type Write } from '../../shared/db/table.ts';
import { AppError } from '../../shared/errors.ts';
import { createTestTable } from '../support/engines/test-table.ts';

const cancelled = (...codes: string[]) => new TransactionCancelled(codes.map((code) => ({ code, old: undefined })));
const named = (name: string) => Object.assign(new Error(name), { name });
const putOf = (sk: string): Write => ({ put: { Item: { pk: 'CROWD', sk }, ...ifAbsent } });

/** A table whose writes fail this often before one comes through, and never again; `pauses` are how long it waited in between. */
async function createCrowdedTable(failures: number, failure: () => Error, random = () => 1) {
  let left = failures;
  let requests = 0;
  const { dynamo, tableName, readAll } = await createTestTable({
    faults: {
      async call(_, make) {
        requests += 1;
        left -= 1;
        if (left >= 0) throw failure();
        return make();
      },
    },
  });
  const pauses: number[] = [];
  const wait = async (milliseconds: number) => void pauses.push(milliseconds);
  const written = async () => {
    left = 0;
    return Object.keys(await readAll());
  };
  return { table: createTable({ tableName, dynamo, random, wait }), pauses, written, requests: () => requests };
}

describe('a transaction that is crowded out', () => {
  test.each([
    ['collides', () => cancelled('None', 'TransactionConflict')],
    ['is throttled', () => cancelled('ThrottlingError', 'None')],
    ['exceeds the capacity', () => cancelled('None', 'ProvisionedThroughputExceeded')],
    ['collides on its way', () => named('TransactionInProgressException')],
  ])('because it %s comes through at the twentieth attempt, and no pause follows', async (_, failure) => {
    const { table, pauses, written, requests } = await createCrowdedTable(19, failure);
    await table.transact([putOf('A'), putOf('B')]);
    expect(requests()).toBe(20);
    expect(pauses).toHaveLength(19);
    expect(await written()).toEqual(['CROWD A', 'CROWD B']);
  });

  test('every time is a dependency that is busy, and nothing is written', async () => {
    const { table, pauses, written, requests } = await createCrowdedTable(100, () => cancelled('None', 'TransactionConflict'));
    const crowdedOut = { code: 'dependency_unavailable', retryAfterSeconds: 1 };
    await expect(table.transact([putOf('A'), putOf('B')])).rejects.toMatchObject(crowdedOut);
    expect(requests()).toBe(20);
    expect(pauses).toHaveLength(19);
    expect(await written()).toEqual([]);
  });

  test('pauses for longer each time up to 800 ms, 12.4 s in all, of which it draws a part', async () => {
    const { table, pauses } = await createCrowdedTable(19, () => cancelled('TransactionConflict'));
    await table.transact([putOf('A')]);
    expect(pauses).toEqual([5, 20, 80, 320, ...new Array(15).fill(800)]);
    const draws = [0, 0.25, 0.5];
    const other = await createCrowdedTable(
      3,
      () => cancelled('TransactionConflict'),
      () => draws.shift() ?? 1,
    );
    await other.table.transact([putOf('A')]);
    expect(other.pauses).toEqual([0, 5, 40]);
  });
});

describe('a transaction that may have been made', () => {
  const inProgress = () => named('TransactionInProgressException');

  test('is asked for again under its token, and made once', async () => {
    const tokens: unknown[] = [];
    const { dynamo, tableName, readAll } = await createTestTable();
    const transactWrite: typeof dynamo.transactWrite = async (request) => {
      tokens.push(request.ClientRequestToken);
      if (tokens.length === 1) throw cancelled('TransactionConflict');
      await dynamo.transactWrite(request);
      if (tokens.length < 5) throw inProgress();
    };
    const table = createTable({ tableName, dynamo: { ...dynamo, transactWrite }, wait: async () => {} });
    await table.transact([putOf('A'), putOf('B')]);
    const [ofCancelled, ...others] = tokens;
    expect(others).toHaveLength(4);
    expect(new Set(others).size).toBe(1);
    expect(others).not.toContain(ofCancelled);
    expect(Object.keys(await readAll())).toEqual(['CROWD A', 'CROWD B']);
  });

  test.each(['transact', 'transactOnce'] as const)('all the time is a dependency that is busy: %s', async (how) => {
    const { table, requests } = await createCrowdedTable(100, inProgress);
    await expect(table[how]([putOf('A')])).rejects.toMatchObject({ code: 'dependency_unavailable', retryAfterSeconds: 1 });
    expect(requests()).toBe(20);
  });
});

describe('a transaction is tried once', () => {
  const atOnce = async ({ pauses, requests }: Awaited<ReturnType<typeof createCrowdedTable>>) =>
    expect({ requests: requests(), pauses }).toEqual({ requests: 1, pauses: [] });

  test.each([
    ['after a collision', ['TransactionConflict', 'ConditionalCheckFailed']],
    ['before a collision', ['ConditionalCheckFailed', 'TransactionConflict']],
    ['beside throttling', ['ThrottlingError', 'ConditionalCheckFailed']],
  ])('where a condition failed %s', async (_, codes) => {
    const crowded = await createCrowdedTable(1, () => cancelled(...codes));
    const taken = (sk: string): Write => ({ ...putOf(sk), onConditionFailed: () => new AppError('slug_reserved') });
    await expect(crowded.table.transact([taken('A'), taken('B')])).rejects.toMatchObject({ code: 'slug_reserved' });
    await atOnce(crowded);
  });

  test('that comes through, or is cancelled for another reason', async () => {
    const free = await createCrowdedTable(0, () => named('never'));
    await free.table.transact([putOf('A')]);
    await atOnce(free);
    const invalid = await createCrowdedTable(1, () => cancelled('ValidationError'));
    await expect(invalid.table.transact([putOf('A')])).rejects.toThrow(TransactionCancelled);
    await atOnce(invalid);
  });
});

describe('a single write', () => {
  test('that collides with a transaction is tried 20 times too', async () => {
    const { table, pauses, written, requests } = await createCrowdedTable(19, () => named('TransactionConflictException'));
    await table.write(putOf('A'));
    expect({ requests: requests(), pauses: pauses.length }).toEqual({ requests: 20, pauses: 19 });
    expect(await written()).toEqual(['CROWD A']);
  });

  test('whose condition fails, or that is throttled after all attempts of the client, is not', async () => {
    const failed = () => new ConditionFailedError(undefined);
    const conditional = await createCrowdedTable(1, failed);
    await expect(conditional.table.write(putOf('A'))).rejects.toThrow('A condition of a write did not hold.');
    const throttled = await createCrowdedTable(1, () => named('ProvisionedThroughputExceededException'));
    await expect(throttled.table.write(putOf('A'))).rejects.toMatchObject({ code: 'dependency_unavailable' });
    const once = await createCrowdedTable(1, () => named('ProvisionedThroughputExceededException'));
    await expect(once.table.transactOnce([putOf('A')])).rejects.toMatchObject({ code: 'dependency_unavailable' });
    expect([...conditional.pauses, ...throttled.pauses]).toEqual([]);
  });
});

test('a write that fails returns the item that was there, alone and in a transaction', async () => {
  const { table } = await createTestTable();
  const item = { pk: 'X', sk: 'X', state: 'taken', count: 2 };
  await table.write({ put: { Item: item } });
  const seen: (Item | undefined)[] = [];
  const again = {
    put: { Item: item, ...ifAbsent },
    onConditionFailed: (old: Item | undefined) => {
      seen.push(old);
      return new Error('taken');
    },
  };
  await expect(table.write(again)).rejects.toThrow('taken');
  await expect(table.transact([again])).rejects.toThrow('taken');
  expect(seen).toEqual([item, item]);
});

test('a query is bounded below, above and both, without what is at the lower bound', async () => {
  const { table } = await createTestTable();
  for (const sk of ['a', 'b', 'c', 'd']) await table.write({ put: { Item: { pk: 'P', sk } } });
  const keysOf = async (range: { after?: string; upTo?: string; prefix?: string }) =>
    (await table.query({ partition: 'P', ...range })).items.map(({ sk }) => sk);
  expect(await keysOf({ after: 'b' })).toEqual(['c', 'd']);
  expect(await keysOf({ upTo: 'b' })).toEqual(['a', 'b']);
  expect(await keysOf({ after: 'a', upTo: 'c' })).toEqual(['b', 'c']);
  expect(await keysOf({ after: 'b', prefix: 'c' })).toEqual(['c']);
});
