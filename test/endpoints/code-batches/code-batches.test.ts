import { beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../functions/code-batches/routes.ts';
import { readMultipart, UploadedFile } from '../../../shared/http/read-multipart.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { setUpCodeBatches } from '../../support/samples/code-batches.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';

describe('code batches', () => {
  let testTable: TestTable;
  let world: Awaited<ReturnType<typeof setUpCodeBatches>>;
  let call: ReturnType<typeof createCaller>;

  beforeEach(async () => {
    testTable = await createTestTable();
    world = await setUpCodeBatches(testTable.table);
    call = createCaller(world.handler, routes);
  });

  const as = (userId: string) => ({ 'x-user-id': userId });

  async function upload(productId: string, file: string | Uint8Array<ArrayBuffer>, options: { key?: string; userId?: string } = {}) {
    const form = await multipart([
      ['idempotency_key', options.key ?? 'first'],
      ['file', csv(file)],
    ]);
    return call('POST', `/v1/products/${productId}/code-batches`, {
      ...form,
      headers: { ...form.headers, ...as(options.userId ?? 'alice') },
    });
  }

  test('an import is accepted, progresses and shows what was left out, but never a code', async () => {
    const productId = await world.addProduct();
    const reply = await upload(productId, '\uFEFFname,code\r\nA,"SECRET-CODE-1"\r\nB,oops\r\n\r\nC,+15551234567\r\nD\r\n');
    expect(reply.status).toBe(202);
    expect(reply.json).toEqual({
      id: expect.stringMatching(/^bat_/),
      product_id: productId,
      status: 'accepted',
      idempotency_key: 'first',
      total_rows: 4,
      imported_count: 0,
      duplicate_count: 0,
      rejected_count: 3,
      errors: [
        { row: 2, line: 3, reason: 'The code is not 8 to 128 characters long.' },
        { row: 3, line: 5, reason: 'The code starts with one of = + - @.' },
        { row: 4, line: 6, reason: 'The code is missing.' },
      ],
      created_at: expect.any(String),
    });

    await world.work(toSqsEvent(world.sent.splice(0)));
    const after = await call('GET', `/v1/products/${productId}/code-batches/${reply.json.id}`, { headers: as('alice') });
    expect(after).toMatchObject({ status: 200, json: { status: 'completed', imported_count: 1, completed_at: expect.any(String) } });
    expect(`${reply.text}${after.text}${world.logged.join()}`).not.toContain('SECRET');
  });

  test('the same key and bytes give the same batch, once imported too; other bytes are refused', async () => {
    const productId = await world.addProduct();
    const first = await upload(productId, 'code\nABCD-EFGH\n', { key: 'k'.repeat(255) });
    await world.runImport({ productId, id: first.json.id });
    const again = await upload(productId, 'code\nABCD-EFGH\n', { key: 'k'.repeat(255) });
    expect(again).toMatchObject({ status: 202, json: { id: first.json.id, status: 'completed', imported_count: 1 } });
    expect(await upload(productId, 'code\nABCD-EFGI\n', { key: 'k'.repeat(255) })).toMatchObject({
      status: 400,
      json: { code: 'idempotency_key_reused' },
    });
    expect((await upload(await world.addProduct(), 'code\nABCD-EFGI\n', { key: 'k'.repeat(255) })).status).toBe(202);
  });

  test('of many requests at once with one key, one batch comes', async () => {
    const productId = await world.addProduct();
    const replies = await Promise.all(Array.from({ length: 6 }, () => upload(productId, 'code\nABCD-EFGH\n')));
    expect(new Set(replies.map((reply) => reply.json.id)).size).toBe(1);
    const list = await call('GET', `/v1/products/${productId}/code-batches`, { headers: as('alice') });
    expect(list.json.items).toHaveLength(1);
  });

  test.each([
    ['no code column', 'name\nA\n', 'invalid_csv'],
    ['two code columns', 'code,license_key\nABCDEFGH,ABCDEFGH\n', 'invalid_csv'],
    ['no data rows', 'code\n', 'invalid_csv'],
    ['nothing at all', '', 'invalid_csv'],
    ['a quote that never ends', 'code\n"ABCDEFGH\nABCDEFGI\n', 'invalid_csv'],
    ['other than UTF-8', Buffer.from('code\nSchl\xfcssel1\n', 'latin1'), 'invalid_csv'],
    ['UTF-16', Buffer.from('\uFEFFcode\nABCDEFGH\n', 'utf16le'), 'invalid_csv'],
    ['more other columns than are worth reading', `code\n${`ABCDEFGH${','.repeat(70)}\n`.repeat(50_000)}`, 'invalid_csv'],
    ['50,001 rows', `code\n${'ABCDEFGH\n'.repeat(50_001)}`, 'too_many_rows'],
    ['over 4 MiB', `code\n${'A'.repeat(4 * 1024 * 1024)}`, 'payload_too_large'],
  ])('a file with %s is refused', async (_, file, code) => {
    const reply = await upload(await world.addProduct(), file);
    expect(reply).toMatchObject({ status: 400, json: { code } });
    expect(reply.text).not.toMatch(/ABCDEFG/);
  });

  test('50,000 rows are taken', async () => {
    const reply = await upload(await world.addProduct(), `code\n${'ABCDEFGH\n'.repeat(50_000)}`);
    expect(reply).toMatchObject({ status: 202, json: { total_rows: 50_000, rejected_count: 0 } });
  });

  test.each([
    ['code\r\nABCDEFG1\nABCDEFG2\r\nABCDEFG3', 3],
    ['code\nABCDEFG1\r\nABCDEFG2\nABCDEFG3\r\n', 3],
    ['code\rABCDEFG1\rABCDEFG2', 2],
  ])('rows end where any line end is: %j', async (file, rows) => {
    const reply = await upload(await world.addProduct(), file);
    expect(reply.json).toMatchObject({ total_rows: rows, rejected_count: 0 });
  });

  const mib = 1024 * 1024;
  test.each([
    ['one byte more than 64 KiB in another column', 'a'.repeat(64 * 1024 + 1)],
    ['3.9 MiB in another column', 'a'.repeat(3.9 * mib)],
    ['3.9 MiB of quoted lines, commas and quotes', `"${'a line, "" and more\r\n'.repeat((2 * mib) / 21)}${'a'.repeat(1.9 * mib)}"`],
    ['3.9 MiB of blanks', ' '.repeat(3.9 * mib)],
    ['1.3 million letters of three bytes', 'あ'.repeat(1_300_000)],
  ])('a row with %s is read as any other', async (_, cell) => {
    const productId = await world.addProduct();
    const reply = await upload(productId, `note,code\nshort,ABCDEFG1\n${cell},ABCDEFG2\nshort,oops\nshort,ABCDEFG3\n`);
    expect(reply).toMatchObject({ status: 202, json: { total_rows: 4, rejected_count: 1, errors: [{ row: 3 }] } });
    await world.runImport({ productId, id: reply.json.id });
    const after = await call('GET', `/v1/products/${productId}/code-batches/${reply.json.id}`, { headers: as('alice') });
    expect(after.json).toMatchObject({ status: 'completed', imported_count: 3 });
  });

  test.each([
    ['line ends of one sign', 'note,code\n"a\nb",oops\n\nok,ABCDEFG1\n"c\n\nd","\noops"\n,oops', [2, 6, 10]],
    ['line ends of two', 'note,code\r\n"a\r\nb",oops\r\n\r\nok,ABCDEFG1\r\n"c\r\n\r\nd","\r\noops"\r\n,oops\r\n', [2, 6, 10]],
    ['old ones, and a header of two lines', '"no\rte",code\ra,oops\r\rb,oops\r', [3, 5]],
    ['a header of two lines with ends of two', '"no\r\nte",code\r\na,oops\r\n', [3]],
  ])('the line of a row is that of the file: %s', async (_, text, lines) => {
    const { json } = await upload(await world.addProduct(), text);
    expect(json.errors.map(({ line }: { line: number }) => line)).toEqual(lines);
  });

  test('a code of 3.9 MiB is one rejected row', async () => {
    const reply = await upload(await world.addProduct(), `code\n${'A'.repeat(3.9 * mib)}\nABCDEFGH\n`);
    const errors = [{ row: 1, line: 2, reason: 'The code is not 8 to 128 characters long.' }];
    expect(reply).toMatchObject({ status: 202, json: { total_rows: 2, rejected_count: 1, errors } });
  });

  test('a long header is read as any other', async () => {
    const reply = await upload(await world.addProduct(), `"${'a'.repeat(mib)}",code\nshort,ABCDEFGH\n`);
    expect(reply).toMatchObject({ status: 202, json: { total_rows: 1, rejected_count: 0 } });
  });

  test.each([
    ['code\nABCDEFGH\n"ABCDEFGI\nABCDEFGJ\n', 1, 'a cell opens with a quote that is never closed'],
    ['code\nABCDEFGH\nABCDEFGI\n"ABCDEFGJ" x\n', 2, 'more follows the closing quote of a cell'],
    ['code\nABCD"EFGH\n', 0, 'a quote stands inside a cell that does not begin with one'],
    ['"code\nABCDEFGH\n', 0, 'a cell opens with a quote that is never closed'],
  ])('a quote that cannot be understood is refused in words: %j', async (file, row, words) => {
    const reply = await upload(await world.addProduct(), file);
    const message = `The CSV cannot be read after data row ${row}: ${words}.`;
    expect(reply).toMatchObject({ status: 400, json: { code: 'invalid_csv', message } });
  });

  test('the column may be called license_key, in any letter case', async () => {
    expect((await upload(await world.addProduct(), 'n, License_Key \n1,ABCDEFGH\n')).json).toMatchObject({
      status: 'accepted',
      rejected_count: 0,
    });
  });

  test.each([
    ['ABCDEFGH', true],
    ['ABCDEFG', false],
    ['A'.repeat(128), true],
    ['A'.repeat(129), false],
    ['  ABCDEFGH  ', true],
    ['ABC DEF GH', true],
    ['A-B-C-D-E-F-G', false],
    ['ABCD~!#$%EFGH', true],
    ['ABCD\tEFGH', false],
    ['ABCDÉFGH', false],
    ['=ABCDEFGH', false],
    ['-ABCDEFGH', false],
    ['@ABCDEFGH', false],
  ])('whether %j is a code: %s', async (code, accepted) => {
    const reply = await upload(await world.addProduct(), `code\n"${code}"\n`);
    expect(reply.json.rejected_count).toBe(accepted ? 0 : 1);
  });

  test('a body that is not such a form is refused', async () => {
    const productId = await world.addProduct();
    const send = async (parts: readonly (readonly [string, string | Blob])[]) => {
      const form = await multipart(parts);
      return call('POST', `/v1/products/${productId}/code-batches`, { ...form, headers: { ...form.headers, ...as('alice') } });
    };
    const file = ['file', csv('code\nABCDEFGH\n')] as const;
    expect((await send([['idempotency_key', 'k']])).json).toMatchObject({
      code: 'invalid_request',
      message: 'file is missing',
    });
    expect((await send([file])).json).toMatchObject({ code: 'invalid_request', message: 'idempotency_key is missing' });
    for (const key of ['', '  ', 'k'.repeat(256), 'a\0b']) {
      expect((await send([['idempotency_key', key], file])).json).toMatchObject({ code: 'invalid_request' });
    }
    expect((await send([['idempotency_key', 'k'], file, file])).json).toMatchObject({ code: 'invalid_request' });
    expect((await send([['idempotency_key', 'k'], file, ['note', 'ignored'], ['other', csv('x')]])).status).toBe(202);

    const json = await call('POST', `/v1/products/${productId}/code-batches`, { headers: as('alice'), body: { idempotency_key: 'k' } });
    expect(json).toMatchObject({ status: 400, json: { code: 'unsupported_media_type' } });
    const form = await multipart([['idempotency_key', 'KEY'], file]);
    const notUtf8 = { ...form, body: Buffer.from(form.body.toString('latin1').replace('KEY', 'K\xff'), 'latin1') };
    const answer = await call('POST', `/v1/products/${productId}/code-batches`, {
      ...notUtf8,
      headers: { ...form.headers, ...as('alice') },
    });
    expect(answer.json).toMatchObject({ code: 'invalid_request' });
    const cut = await multipart([['idempotency_key', 'k'], file]);
    const half = { ...cut, body: cut.body.subarray(0, -20), headers: { ...cut.headers, ...as('alice') } };
    expect((await call('POST', `/v1/products/${productId}/code-batches`, half)).json).toMatchObject({ code: 'invalid_request' });
  });

  test('the file is read where the body holds it, and not copied', async () => {
    const { body, headers } = await multipart([
      ['idempotency_key', 'k'],
      ['file', csv(`code\n${'ABCDEFGH\n'.repeat(50_000)}`)],
    ]);
    const { file } = await readMultipart({ headers, text: undefined, body }, 'file');
    if (!(file instanceof UploadedFile)) throw new Error('There is no file.');
    const copied = file.pieces.filter(({ buffer }) => buffer !== body.buffer);
    expect(file.pieces.reduce((bytes, { length }) => bytes + length, 0)).toBe(450_005);
    expect(copied.reduce((bytes, { length }) => bytes + length, 0)).toBeLessThan(1024);
  });

  test('is for products that take codes, of a seller who may sell', async () => {
    const productId = await world.addProduct();
    const file = 'code\nABCDEFGH\n';
    expect(await upload(await world.addProduct('alice', { licenseIssuanceMode: 'generated_server_validated' }), file)).toMatchObject({
      status: 400,
      json: { code: 'wrong_issuance_mode' },
    });
    expect(await upload(await world.addProduct('alice', { status: 'suspended' }), file)).toMatchObject({
      status: 403,
      json: { code: 'product_suspended' },
    });
    await world.suspendSeller('alice');
    expect(await upload(productId, file)).toMatchObject({ status: 403, json: { code: 'seller_not_eligible' } });
    expect((await call('GET', `/v1/products/${productId}/code-batches`, { headers: as('alice') })).status).toBe(200);
  });

  test('batches are listed newest first, page by page', async () => {
    const productId = await world.addProduct();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await upload(productId, 'code\nABCDEFGH\n', { key: `k${index}` })).json.id);
    const seen: string[] = [];
    let target = `/v1/products/${productId}/code-batches?limit=2`;
    for (;;) {
      const { json } = await call('GET', target, { headers: as('alice') });
      seen.push(...json.items.map((item: { id: string }) => item.id));
      if (!json.next_cursor) break;
      target = `/v1/products/${productId}/code-batches?limit=2&cursor=${json.next_cursor}`;
    }
    expect(seen).toEqual(ids);
    for (const query of ['limit=0', 'limit=101', 'limit=', 'cursor=x', 'limit=1&limit=2']) {
      const reply = await call('GET', `/v1/products/${productId}/code-batches?${query}`, { headers: as('alice') });
      expect(reply).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    }
  });
});
