import { expect } from '@jest/globals';
import { installer, type Marketplace, type Shop, sha256 } from '../../support/scenes/marketplace.ts';
import { ok, type Row } from './rows.ts';

const declared = { filename: 'setup.zip', content_type: 'application/zip', size_bytes: installer.length, sha256_hex: sha256(installer) };

/** A file whose parts can be stored now. */
const declareInParts = async ({ product, userId }: Shop, { call }: Marketplace) => {
  const intent = await call('POST', `/v1/products/${product.id}/files/upload-intent`, {
    headers: { 'X-User-ID': userId },
    body: { ...declared, part_size_bytes: 8_388_608 },
  });
  return { ids: { product_id: product.id, file_id: intent.json.product_file_id } };
};

/** The rows of uploads in parts. */
export const partRows: Record<string, Row> = {
  'product-files: signProductFileParts': {
    ask: async (shop, scene) => ({
      ...(await declareInParts(shop, scene)),
      body: { parts: [{ part_number: 1, sha256_hex: 'a'.repeat(64) }] },
    }),
    reply: ({ product }) =>
      ok({
        items: [
          {
            part_number: 1,
            upload_url: expect.stringContaining(`/files/files/${product.id}/fil_`),
            required_headers: { 'content-length': String(installer.length), 'x-amz-checksum-sha256': expect.any(String) },
            expires_at: expect.stringMatching(/Z$/),
          },
        ],
      }),
  },
  'product-files: listProductFileParts': { ask: declareInParts, reply: () => ok({ items: [] }) },
};
