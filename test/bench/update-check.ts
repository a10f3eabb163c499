import { routes } from '../../functions/updates/routes.ts';
import { Keyring } from '../../shared/crypto/keyring.ts';
import { newId } from '../../shared/ids.ts';
import { mintUpdateTicket } from '../../shared/leases/update-ticket.ts';
import { addProduct } from '../../shared/products/product-repository.ts';
import type { ReleaseRecord } from '../../shared/releases/release.ts';
import { addToIndex, readIndex } from '../../shared/releases/release-index-repository.ts';
import { createDraft } from '../../shared/releases/release-repository.ts';
import { addSeller } from '../../shared/sellers/seller-repository.ts';
import { httpEvent } from '../support/http/http-event.ts';
import { issueTestLicense } from '../support/samples/licenses.ts';
import { artifact } from '../support/samples/releases/published.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../support/samples/sample-seller.ts';
import { measureBesideValidate } from './beside-validate.ts';

const releases = 200;
const artifactsEach = 40;

/** A warm check for updates of a product with many releases of many files, beside a warm validate: it is two requests to the table, and a validate one. */
export const measureUpdateCheck = () =>
  measureBesideValidate('updates', { cpu: 2 }, async ({ table, environment, peppers }) => {
    const seller = sampleSeller(sellingSeller);
    const product = sampleProduct({ sellerId: seller.id, slug: 'editor', status: 'approved' });
    const { license } = await issueTestLicense(table, { peppers, productId: product.id, sellerId: seller.id });
    await table.transact([...addSeller(seller), ...addProduct(product)]);
    for (let minor = 0; minor < releases; minor += 1) {
      const release = manyFiles({ productId: product.id, sellerId: seller.id, version: `1.${minor}.0` });
      await table.transact(createDraft(release));
      await table.transact(addToIndex((await readIndex(table, product.id)).index, release));
    }
    const { ticket } = mintUpdateTicket(Keyring.parse(environment['TOKEN_KEYS'] ?? ''), license, 'laptop', new Date());
    return httpEvent(routes, 'GET', `/v1/updates/${product.id}/${ticket}/check/stable/windows/x64?current=1.${releases / 2}.0&os=11`);
  });

function manyFiles(place: Pick<ReleaseRecord, 'productId' | 'sellerId' | 'version'>): ReleaseRecord {
  const at = new Date().toISOString();
  const artifacts = Array.from({ length: artifactsEach }, (_, index) => {
    const platform = (['windows', 'macos', 'linux', 'any'] as const)[index % 4] ?? 'any';
    const arch = (['x64', 'arm64', 'x86', 'arm', 'any'] as const)[index % 5] ?? 'any';
    return artifact({ fileId: newId('file'), platform, arch, minimumOs: '10.0', kind: index < 20 ? 'full' : 'delta' });
  });
  return {
    ...place,
    id: newId('release'),
    status: 'published',
    channel: 'stable',
    createdAt: at,
    publishedAt: at,
    revision: 1,
    notes: 'What changed.',
    critical: false,
    publishOnApproval: false,
    requiresFeatures: [],
    artifacts,
    files: Object.fromEntries(artifacts.map((each) => [each.fileId, each])),
  };
}
