import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../functions/code-batches/routes.ts';
import { checkUpload } from '../../../shared/code-batches/read-codes.ts';
import { readMultipart, UploadedFile } from '../../../shared/http/read-multipart.ts';
import type { ProductId } from '../../../shared/ids.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { setUpCodeBatches } from '../../support/samples/code-batches.ts';
import { keyringOf, keyringText } from '../../support/samples/licenses.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';

describe('code batches', () => {
  let world: Awaited<ReturnType<typeof setUpCodeBatches>>;
  let call: ReturnType<typeof createCaller>;
  let productId: ProductId;
  beforeAll(async () => {
    world = await setUpCodeBatches((await createTestTable()).table, {
      ENCRYPTION_KEYS: keyringText('e1'),
      LICENSE_PEPPERS: keyringText('p1'),
    });
    call = createCaller(world.handler, routes);
  });
  beforeEach(async () => {
    productId = await world.addProduct();
  });

  const asAlice = { 'x-user-id': 'alice' };
  const path = (of: string = productId) => `/v1/products/${of}/code-batches`;
  const read = (more = '') => call('GET', `${path()}${more}`, { headers: asAlice });
  async function send(parts: Parameters<typeof multipart>[0], of?: string) {
    const form = await multipart(parts);
    return call('POST', path(of), { ...form, headers: { ...form.headers, ...asAlice } });
  }
  const upload = (file: string | Uint8Array<ArrayBuffer>, { key = 'first', of = productId as string } = {}) =>
    send(
      [
        ['idempotency_key', key],
        ['file', csv(file)],
      ],
      of,
    );

  test('an import is accepted, progresses and shows what was left out, but never a code', async () => {
    const reply = await upload('\uFEFFname,code\r\nA,"SECRET-CODE-1"\r\nB,oops\r\n\r\nC,+15551234567\r\nD\r\n');
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
    const after = await read(`/${reply.json.id}`);
    expect(after).toMatchObject({ status: 200, json: { status: 'completed', imported_count: 1, completed_at: expect.any(String) } });
    expect(`${reply.text}${after.text}${world.logged.join()}`).not.toContain('SECRET');
  });

  test('a form of 4 MiB is taken, a byte more is not', async () => {
    const most = 4 * 1024 * 1024;
    const rows = `${'a'.repeat(99)}\n`.repeat(most / 100 + 1);
    const formOf = (fill: number) =>
      multipart([
        ['idempotency_key', 'large'],
        ['file', csv(`code\n${rows.slice(0, fill)}`)],
      ]);
    const room = most - (await formOf(0)).body.length;
    for (const [fill, outcome] of [
      [room + 1, { status: 400, json: { code: 'payload_too_large' } }],
      [room, { status: 202 }],
    ] as const) {
      const form = await formOf(fill);
      expect(form.body.length).toBe(most + (fill - room));
      expect(await call('POST', path(), { ...form, headers: { ...form.headers, ...asAlice } })).toMatchObject(outcome);
    }
  });

  test('the same key and bytes give the same batch, of many at once and once imported too; other bytes are refused', async () => {
    const key = 'k'.repeat(255);
    const replies = await Promise.all(Array.from({ length: 6 }, () => upload('code\nABCD-EFGH\n', { key })));
    const [id, ...others] = new Set(replies.map(({ json }) => json.id));
    expect([others, (await read()).json.items.length]).toEqual([[], 1]);
    await world.runImport({ productId, id });
    expect(await upload('code\nABCD-EFGH\n', { key })).toMatchObject({ status: 202, json: { id, status: 'completed', imported_count: 1 } });
    expect(await upload('code\nABCD-EFGI\n', { key })).toMatchObject({ status: 400, json: { code: 'idempotency_key_reused' } });
    expect((await upload('code\nABCD-EFGI\n', { key, of: await world.addProduct() })).status).toBe(202);
  });

  test.each([
    ['no code column', 'name\nA\n', 'invalid_csv'],
    ['two code columns', 'code,license_key\nABCDEFGH,ABCDEFGH\n', 'invalid_csv'],
    ['no data rows', 'code\n', 'invalid_csv'],
    ['nothing at all', '', 'invalid_csv'],
    ['a quote that never ends', 'code\n"ABCDEFGH\nABCDEFGI\n', 'invalid_csv'],
    ['too many semicolons', `code;\n${`ABCDEFGH${';'.repeat(70)}\n`.repeat(50_000)}`, 'invalid_csv'],
    ['more other columns than are worth reading', `code\n${`ABCDEFGH${','.repeat(70)}\n`.repeat(50_000)}`, 'invalid_csv'],
    ['50,001 rows', `code\n${'ABCDEFGH\n'.repeat(50_001)}`, 'too_many_rows'],
    ['over 4 MiB', `code\n${'A'.repeat(4 * 1024 * 1024)}`, 'payload_too_large'],
  ])('a file with %s is refused', async (_, file, code) => {
    const reply = await upload(file);
    expect(reply).toMatchObject({ status: 400, json: { code } });
    expect(reply.text).not.toMatch(/ABCDEFG/);
  });

  test.each([
    ['CP932', Buffer.from('code,\x94\xf5\x8dl\nABCDEFGH,\n', 'latin1')],
    ['UTF-16 with its mark', Buffer.from('\uFEFFcode\nABCDEFGH\n', 'utf16le')],
    ['UTF-16 without', Buffer.from('code\nABCDEFGH\n', 'utf16le')],
    ['UTF-16 with the higher byte first', Buffer.from('code\nABCDEFGH\n', 'utf16le').swap16()],
  ])('a file in %s is refused with how to save it', async (_, file) => {
    const message = 'The CSV is not in UTF-8. Save it as “CSV UTF-8” and upload it again.';
    expect(await upload(file)).toMatchObject({ status: 400, json: { code: 'invalid_csv', message } });
  });

  test('a file that comes in pieces is read as one', async () => {
    const bytes = Buffer.from('sep=;\ncode;a\nABCDEFGH;b\n');
    const pieces = [bytes.subarray(0, 3), bytes.subarray(3, 16), bytes.subarray(16)];
    expect(await checkUpload(pieces)).toEqual({ totalRows: 1, rejectedCount: 0, errors: [] });
  });

  const mib = 1024 * 1024;
  /** Rows of which the second has this in another column, and the third no code. */
  const around = (cell: string, own: string) => `note,code\nshort,${own}-CODE-1\n${cell},${own}-CODE-2\nshort,oops\nshort,${own}-CODE-3\n`;
  const short = [{ row: 3, line: 4 }];
  test.each<[string, string, number, { row: number; line?: number }[]]>([
    ['50,000 rows', `code\n${'ABCDEFGH\n'.repeat(50_000)}`, 50_000, []],
    ['semicolons', 'note;Code\n"a, b;c";ABCDEFG1\n;nope\n;;\n', 2, [{ row: 2, line: 3 }]],
    ['tabs', 'note\tcode\n\tABCDEFG1\n\tnope\n\t\t\n', 2, [{ row: 2, line: 3 }]],
    ['semicolons, with commas in quotes and behind the header', '\n\r\n"a,b";code\rc,d;ABCDEFGH\r', 1, []],
    ['commas in a header that has semicolons too', 'a;b,code\nc;d,ABCDEFGH\n', 1, []],
    ['a line that names its separator', '\uFEFFsep=;\r\na,b;code\r\nc;ABCDEFGH\r\n;nope\r\n', 2, [{ row: 2, line: 4 }]],
    ['such a line of tabs, and more than one piece', `sep=\t\rcode\ta,b\rABCDEFG1\t${'c'.repeat(mib)}\rABCDEFG2\r`, 2, []],
    ['such a line in quotes', '"SEP=|"\ncode|a\nABCDEFGH|b,c\n', 1, []],
    ['rows of commas alone', 'note,code\n,\nx,ABCDEFG1\n , ,,\n"",""\ny,nope\n,,,\n', 2, [{ row: 2, line: 6 }]],
    ['line ends of each kind', 'code\nABCDEFG1\r\nABCDEFG2\nABCDEFG3\r\n', 3, []],
    ['old line ends', 'code\rABCDEFG1\rABCDEFG2', 2, []],
    ['a header of 1 MiB', `"${'a'.repeat(mib)}",code\nshort,ABCDEFGH\n`, 1, []],
    ['a column called license_key, in any letter case', 'n, License_Key \n1,ABCDEFGH\n', 1, []],
    ['a code of 3.9 MiB', `code\n${'A'.repeat(3.9 * mib)}\nABCDEFGH\n`, 2, [{ row: 1, line: 2 }]],
    ['64 KiB and a byte in another column', around('a'.repeat(64 * 1024 + 1), 'LONG'), 4, short],
    ['quoted lines, commas and quotes', around(`"${'a line, "" and more\r\n'.repeat((3.8 * mib) / 24)}"`, 'QUOTED'), 4, [{ row: 3 }]],
    ['1.3 million letters of three bytes', around('あ'.repeat(1_300_000), 'WIDE'), 4, short],
  ])('a file with %s is read as any other', async (_, file, rows, errors) => {
    const reply = await upload(file);
    expect(reply).toMatchObject({ status: 202, json: { total_rows: rows, rejected_count: errors.length, errors } });
    if (!file.includes('oops')) return;
    await world.runImport({ productId, id: reply.json.id });
    expect((await read(`/${reply.json.id}`)).json).toMatchObject({ status: 'completed', imported_count: 3 });
  });

  test.each([
    ['line ends of one sign', 'note,code\n"a\nb",oops\n\nok,ABCDEFG1\n"c\n\nd","\noops"\n,oops', [2, 6, 10]],
    ['line ends of two', 'note,code\r\n"a\r\nb",oops\r\n\r\nok,ABCDEFG1\r\n"c\r\n\r\nd","\r\noops"\r\n,oops\r\n', [2, 6, 10]],
    ['old ones, and a header of two lines', '"no\rte",code\ra,oops\r\rb,oops\r', [3, 5]],
    ['a header of two lines with ends of two', '"no\r\nte",code\r\na,oops\r\n', [3]],
  ])('the line of a row is that of the file: %s', async (_, text, lines) => {
    expect((await upload(text)).json.errors.map(({ line }: { line: number }) => line)).toEqual(lines);
  });

  test.each([
    ['code\nABCDEFGH\n"ABCDEFGI\nABCDEFGJ\n', 1, 'a cell opens with a quote that is never closed'],
    ['code\nABCDEFGH\nABCDEFGI\n"ABCDEFGJ" x\n', 2, 'more follows the closing quote of a cell'],
    ['code\nABCD"EFGH\n', 0, 'a quote stands inside a cell that does not begin with one'],
    ['"code\nABCDEFGH\n', 0, 'a cell opens with a quote that is never closed'],
  ])('a quote that cannot be understood is refused in words: %j', async (file, row, words) => {
    const reply = await upload(file);
    const message = `The CSV cannot be read after data row ${row}: ${words}.`;
    expect(reply).toMatchObject({ status: 400, json: { code: 'invalid_csv', message } });
  });

  test('a code is 8 to 128 visible characters of ASCII, blanks and dashes apart, and begins like no formula', async () => {
    const accepted = ['ABCDEFGH', 'A'.repeat(128), '  ABCDEFGH  ', 'ABC DEF GH', 'ABCD~!#$%EFGH'];
    const rejected = ['ABCDEFG', 'A'.repeat(129), 'A-B-C-D-E-F-G', 'ABCD\tEFGH', 'ABCDÉFGH', '=ABCDEFGH', '-ABCDEFGH', '@ABCDEFGH'];
    const { json } = await upload(`code\n${[...accepted, ...rejected].map((code) => `"${code}"\n`).join('')}`);
    expect(json.errors.map(({ row }: { row: number }) => row)).toEqual(rejected.map((_, at) => accepted.length + at + 1));
  });

  test('what a spreadsheet made of a code is refused as that, and what is a code is not', async () => {
    const spoilt = [
      ...['9.78012E+15', '1E+15', '4,00638e+12', '9.8e-05', '#', '########', '#REF!', '#n/a', '#DIV/0!', '#NAME?', '#SPILL!', 'Err:502'],
      ...['1-Jan-26', 'Jan-26', '26-Jan', '2026/01/05', '1/5/2026', '31/12/26 0:00', 'January 5, 2026', '2026-Sept-05', '1月5日'],
      ...['1E-05', '-9.8E+15', '9,8e05', '#NV', '1/13', '13/1', '2026/1', '1/2026', 'Jan-5', '1月', '2026年1月5日'],
      ...['1,234,567', '12,345.00', 'undefined', 'NULL', '[object Object]', 'NaN', 'None'],
    ];
    const codes = [
      ...[
        'ABCD-1234-JAN-26',
        'MAY-20261',
        '1234-MAY-2026',
        '12E45678',
        '1234E-5678',
        '0012345678',
        '2026-01-05',
        '1234/56/78',
        '123,456,78',
      ],
      ...["'ABCD-1234-QUOTED", "ABCD'S-CODE", '#ABCD1234!', 'undefined-1', 'NULL-0001', '9.78012E+15X'],
    ];
    const { json } = await upload(`code\n${[...spoilt, ...codes].map((code) => `"${code}"\n`).join('')}`);
    expect(json.errors).toEqual(spoilt.map((_, at) => ({ row: at + 1, line: at + 2, reason: 'spreadsheet' })));
    await world.runImport({ productId, id: json.id });
    productId = await world.addProduct();
    const again = await upload('code\nABCD-1234-QUOTED\n');
    await world.runImport({ productId, id: again.json.id });
    expect((await read(`/${again.json.id}`)).json).toMatchObject({ imported_count: 0, duplicate_count: 1 });
  });

  test('a body that is not such a form is refused', async () => {
    const file = ['file', csv('code\nABCDEFGH\n')] as const;
    const key = (text: string) => ['idempotency_key', text] as const;
    expect((await send([key('k')])).json).toMatchObject({ code: 'invalid_request', message: 'file is missing' });
    expect((await send([file])).json).toMatchObject({ code: 'invalid_request', message: 'idempotency_key is missing' });
    for (const parts of [...['', '  ', 'k'.repeat(256), 'a\0b'].map((text) => [key(text), file]), [key('k'), file, file]]) {
      expect((await send(parts)).json).toMatchObject({ code: 'invalid_request' });
    }
    expect((await send([key('k'), file, ['note', 'ignored'], ['other', csv('x')]])).status).toBe(202);

    const json = await call('POST', path(), { headers: asAlice, body: { idempotency_key: 'k' } });
    expect(json).toMatchObject({ status: 400, json: { code: 'unsupported_media_type' } });
    const form = await multipart([key('KEY'), file]);
    const headers = { ...form.headers, ...asAlice };
    const notUtf8 = Buffer.from(form.body.toString('latin1').replace('KEY', 'K\xff'), 'latin1');
    for (const body of [notUtf8, form.body.subarray(0, -20)]) {
      expect((await call('POST', path(), { ...form, headers, body })).json).toMatchObject({ code: 'invalid_request' });
    }
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

  test('a code that was imported before the keys were rotated is known still, in any product of the seller', async () => {
    await world.runImport({ productId, id: (await upload('code\nBEFORE-ROTATION\n')).json.id });
    Object.assign(world.settings, { ENCRYPTION_KEYS: keyringOf('e2', 'e1'), LICENSE_PEPPERS: keyringOf('p2', 'p1') });
    productId = await world.addProduct();
    const { id } = (await upload('code\nBEFORE-ROTATION\nAFTER-ROTATION\n')).json;
    await world.runImport({ productId, id });
    expect((await read(`/${id}`)).json).toMatchObject({ status: 'completed', imported_count: 1, duplicate_count: 1 });
  });

  test('batches are listed newest first, page by page', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.unshift((await upload('code\nABCDEFGH\n', { key: `k${index}` })).json.id);
    const first = (await read('?limit=2')).json;
    const second = (await read(`?limit=2&cursor=${first.next_cursor}`)).json;
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second).not.toHaveProperty('next_cursor');
  });

  test('is for products that take codes, of a seller who may sell', async () => {
    const file = 'code\nABCDEFGH\n';
    const refused = async (change: Parameters<typeof world.addProduct>[1]) => {
      const { status, json } = await upload(file, { of: await world.addProduct('alice', change) });
      return [status, json.code];
    };
    expect(await refused({ licenseIssuanceMode: 'generated_server_validated' })).toEqual([400, 'wrong_issuance_mode']);
    expect(await refused({ status: 'suspended' })).toEqual([403, 'product_suspended']);
    await world.suspendSeller('alice');
    expect(await refused({})).toEqual([403, 'seller_not_eligible']);
    expect((await read()).status).toBe(200);
  });
});
