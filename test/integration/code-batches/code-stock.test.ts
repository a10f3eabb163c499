import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { CodeTakenError, drawCode, stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import type { Needs } from '../../../shared/context.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { codeStockKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { hasStock } from '../../../shared/products/code-stock.ts';
import { createTestTable } from '../../support/engines/test-table.ts';

const ENCRYPTION_KEYS = Keyring.parse(`1:${randomBytes(32).toString('base64')}`);
const productId = newId('product');
const hashOf = (code: string) => createHash('sha256').update(code).digest('base64url');

describe('the stock of imported codes', () => {
  let table: Table;
  let c: Needs<'table' | 'randomBytes' | 'ENCRYPTION_KEYS'>;

  beforeEach(async () => {
    ({ table } = await createTestTable());
    c = { table, randomBytes, settings: { ENCRYPTION_KEYS } };
  });

  const addCode = (code: string) => table.write(stockCode(c, { productId, codeHash: hashOf(code), code, batchId: newId('batch') }));

  test('an empty stock has nothing to draw', async () => {
    expect(await hasStock(table, productId)).toBe(false);
    expect(await drawCode(c, productId)).toBeUndefined();
  });

  test('drawing shows the original spelling and takes nothing until its writes are made', async () => {
    await addCode('abcd-EFGH ijkl');
    const first = await drawCode(c, productId);
    expect(first?.code).toBe('abcd-EFGH ijkl');
    expect(await hasStock(table, productId)).toBe(true);
    await table.transact(first!.writes);
    expect(await hasStock(table, productId)).toBe(false);
  });

  test('of two who drew the same code the second gets CodeTakenError', async () => {
    await addCode('CODE-0001');
    const [first, second] = [await drawCode(c, productId), await drawCode(c, productId)];
    await table.transact(first!.writes);
    await expect(table.transact(second!.writes)).rejects.toThrow(CodeTakenError);
  });

  test('codes are drawn at random', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => addCode(`CODE-${index + 100}`)));
    const draws = await Promise.all(Array.from({ length: 30 }, () => drawCode(c, productId)));
    expect(new Set(draws.map((drawn) => drawn?.code)).size).toBeGreaterThan(8);
  });

  test('a code of another product is never drawn', async () => {
    await addCode('CODE-0001');
    expect(await drawCode(c, newId('product'))).toBeUndefined();
  });

  test('no code is in the table in clear text', async () => {
    await addCode('SECRET-CODE-1');
    const item = await table.get(codeStockKey(productId, hashOf('SECRET-CODE-1')));
    expect(JSON.stringify(item)).not.toContain('SECRET');
  });
});
