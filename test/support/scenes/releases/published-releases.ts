import { releaseIdKey, releaseIndexKey, releaseKey } from '../../../../shared/db/keys.ts';
import type { Table } from '../../../../shared/db/table.ts';
import type { ProductId, ReleaseId } from '../../../../shared/ids.ts';
import type { RenderedNotes } from '../../../../shared/releases/release.ts';

/** Published releases as the table holds them, and one that was taken back. */
export async function putPublished(
  table: Table,
  productId: ProductId,
  releases: readonly { version: string; channel: string; notes?: string; critical?: boolean; renderedNotes?: RenderedNotes }[],
): Promise<void> {
  const entries = releases.map(({ version, channel }) => [version, { channel, revision: 3 }]);
  const published = { ...Object.fromEntries(entries), '0.1.0': { channel: 'stable', revision: 4, yanked: true } };
  await table.write({ put: { Item: { ...releaseIndexKey(productId), revision: 1, total: 1, unpublished: 0, published } } });
  for (const [index, release] of releases.entries()) {
    const id = `rel_${String(index).padStart(26, '0')}` as ReleaseId;
    const at = '2026-03-01T20:00:00.000Z';
    const common = { productId, sellerId: `sel_${'0'.repeat(26)}`, status: 'published', createdAt: at, publishedAt: at, revision: 3 };
    const blank = { notes: 'Faster.', critical: false, publishOnApproval: false, requiresFeatures: [], artifacts: [], files: {} };
    await table.write({ put: { Item: { ...releaseKey(productId, release.version), ...common, ...blank, id, ...release } } });
    await table.write({ put: { Item: { ...releaseIdKey(productId, id), version: release.version } } });
  }
}
