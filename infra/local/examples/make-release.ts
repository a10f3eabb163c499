import { Anything, asAdmin, type Caller, call, type Stack } from './example-caller.ts';
import type { ExampleRelease } from './example-data.ts';
import { makeFile } from './make-file.ts';
import { listOf, ReleaseReply } from './replies.ts';

export async function makeRelease(
  at: Stack,
  owner: Caller,
  productId: string,
  { version, notes, published }: ExampleRelease,
): Promise<void> {
  const releases = `/v1/products/${productId}/releases`;
  const { items } = await call(at, listOf(ReleaseReply), owner, 'GET', `${releases}?limit=100`);
  let release = items.find((known) => known.version === version);
  if (release === undefined || release.status === 'draft') {
    const filename = `sorairo-${version}.zip`;
    const bytes = Buffer.from(`${filename}\n`.repeat(2000));
    const file = { filename, content_type: 'application/zip', purpose: 'release', bytes, approved: published } as const;
    const artifact = {
      file_id: await makeFile(at, owner, productId, file),
      platform: 'any',
      arch: 'any',
      kind: 'full',
      feeds: ['electron'],
    };
    const draft = { version, channel: 'stable', notes, artifacts: [artifact] };
    const saved = release ?? (await call(at, ReleaseReply, owner, 'POST', releases, draft));
    release = await call(at, ReleaseReply, owner, 'POST', `${releases}/${saved.id}/submit`);
  }
  const { id, status } = release;
  if (!published || status === 'published') return;
  const review = `/v1/admin/products/${productId}/releases/${id}/review`;
  if (status === 'pending_review') await asAdmin(at, Anything, 'PATCH', review, { decision: 'approve' });
  await call(at, Anything, owner, 'POST', `${releases}/${id}/publish`, {});
}
