import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type CodeStockRepository, CodeTakenError, createCodeStockRepository } from '../../../shared/code-batches/code-stock-repository.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { codeStockKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { createTestTable } from '../../support/engines/test-table.ts';

const encryptionKeys = Keyring.parse(`1:${randomBytes(32).toString('base64')}`);
const productId = newId('product');
const hashOf = (code: string) => createHash('sha256').update(code).digest('base64url');

describe('the stock of imported codes', () => {
  let table: Table;
  let stock: CodeStockRepository;

  beforeEach(async () => {
    ({ table } = await createTestTable());
    stock = createCodeStockRepository({ table, encryptionKeys });
  });

  const addCode = (code: string) => table.write(stock.stockCode({ productId, codeHash: hashOf(code), code, batchId: newId('batch') }));

  async function _sell(): Promise<string | undefined> {
    for (;;) {
      const drawn = await stock.drawCode(productId);
      if (!drawn) return undefined;
      try {
        await table.transact(drawn.writes);
        return drawn.code;
      } catch (error) {
        if (!(error instanceof CodeTakenError)) throw error;
      }
    }
  }

  test('an empty stock has nothing to draw', async () => {
    expect(await stock.hasStock(productId)).toBe(false);
    expect(await stock.drawCode(productId)).toBeUndefined();
  });

  test('drawing shows the original spelling and takes nothing until its writes are made', async () => {
    await addCode('abcd-EFGH ijkl');
    const first = await stock.drawCode(productId);
    expect(first?.code).toBe('abcd-EFGH ijkl');
    expect(await stock.hasStock(productId)).toBe(true);
    await table.transact(first!.writes);
    expect(await stock.hasStock(productId)).toBe(false);
  });

  test('of two who drew the same code the second gets CodeTakenError', async () => {
    await addCode('CODE-0001');
    const [first, second] = [await stock.drawCode(productId), await stock.drawCode(productId)];
    await table.transact(first!.writes);
    await expect(table.transact(second!.writes)).rejects.toThrow(CodeTakenError);
  });

  test('codes are drawn at random', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => addCode(`CODE-${index + 100}`)));
    const draws = await Promise.all(Array.from({ length: 30 }, () => stock.drawCode(productId)));
    expect(new Set(draws.map((drawn) => drawn?.code)).size).toBeGreaterThan(8);
  });

  test('a code of another product is never drawn', async () => {
    await addCode('CODE-0001');
    expect(await stock.drawCode(newId('product'))).toBeUndefined();
  });

  test('no code is in the table in clear text', async () => {
    await addCode('SECRET-CODE-1');
    const item = await table.get(codeStockKey(productId, hashOf('SECRET-CODE-1')));
    expect(JSON.stringify(item)).not.toContain('SECRET');
  });
});
