import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventually, offerProduct } from '../../support/scenes/stack-harness.ts';
import { seller, stack } from './desk.ts';

/** Uploads in parts, to their end and given up. */
export function describeParts(): void {
  test('a seller uploads a file in parts, and takes back another, whose parts end', async () => {
    const product = await offerProduct(stack, { name: 'In parts' });
    const files = `/v1/products/${product.id}/files`;
    const bytes = Buffer.alloc(8_388_608 + 5, 'bytes');
    const hashOf = (part: Buffer) => createHash('sha256').update(part).digest('hex');
    const declared = { size_bytes: bytes.length, sha256_hex: hashOf(bytes) };
    const bodies = [bytes.subarray(0, 8_388_608), bytes.subarray(8_388_608)];
    const parts = bodies.map((body, index) => ({ part_number: index + 1, sha256_hex: hashOf(body) }));
    const begin = async () => {
      const intent = { filename: 'large.zip', content_type: 'application/zip', part_size_bytes: 8_388_608, ...declared };
      const { product_file_id: id } = await seller('POST', `${files}/upload-intent`, intent);
      const { items } = await seller('POST', `${files}/${id}/parts`, { parts });
      const put = async (at: number) => {
        const { 'content-length': _, ...headers } = items[at].required_headers;
        return (await fetch(items[at].upload_url, { method: 'PUT', headers, body: new Uint8Array(bodies[at]!) })).status;
      };
      return { id, put };
    };
    const [kept, other] = [await begin(), await begin()];
    expect([await kept.put(0), await kept.put(1), await other.put(1)]).toEqual([200, 200, 200]);
    expect((await seller('GET', `${files}/${kept.id}/parts`)).items).toMatchObject(parts);
    await seller('POST', `${files}/${kept.id}/finalize`, declared);
    await seller('POST', `${files}/${other.id}/withdraw`);
    await eventually('the parts end', 90, async () => ((await other.put(1)) === 404 ? true : undefined));
    await eventually('the file is hashed', 90, async () => {
      const { items } = await seller('GET', files);
      return items.find(({ id }: { id: string }) => id === kept.id).hash_status === 'verified' ? true : undefined;
    });
  });
}
