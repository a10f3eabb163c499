import { createHash } from 'node:crypto';
import type { ArtifactRequest, UpdateCheck } from '../../../build/client.ts';
import { markFileClean, uploadProductFile } from './files.ts';
import { admin, callAs, chapter, expectBody, seller, summary, tracedFetch } from './stage.ts';
import { demoFile } from './upload.ts';

const installed = '1.0.0';
const version = '1.1.0';

/** A build machine hands in a release, with a token that can do nothing else; an admin and the seller bring it out. Returns the file's SHA-256. */
export async function releaseFromCi(productId: string): Promise<string> {
  chapter('13. CI hands in a release with an API token, an admin approves it with its file, and the seller publishes it');
  const { token } = await expectBody(
    seller.createApiToken({
      body: { name: 'Demo CI', scopes: ['releases:read', 'releases:write'], product_ids: [productId], expires_in_days: 30 },
    }),
  );
  const ci = callAs({ Authorization: `Bearer ${token}` });
  const path = { product_id: productId };
  const named = { filename: `Demo-Editor-${version}.zip`, purpose: 'release' } as const;
  const file = await uploadProductFile(ci, productId, demoFile(4), named);
  const artifact: ArtifactRequest = { file_id: file.path.file_id, platform: 'any', arch: 'any', kind: 'full', feeds: ['electron'] };
  const notes = '- Undo, as often as you like\n- 日本語の入力が速くなりました';
  const release = await expectBody(ci.saveRelease({ path, body: { version, channel: 'stable', notes, artifacts: [artifact] } }));
  const pathOfRelease = { ...path, release_id: release.id };
  await expectBody(ci.submitRelease({ path: pathOfRelease }));
  const refused = await ci.publishRelease({ path: pathOfRelease, body: {} });
  if (refused.error?.code !== 'token_scope_insufficient') throw new Error('CI was not kept from publishing.');
  await markFileClean(file.path);
  const approved = await expectBody(admin.reviewRelease({ path: pathOfRelease, body: { decision: 'approve' } }));
  const published = await expectBody(seller.publishRelease({ path: pathOfRelease, body: {} }));
  summary.push(`release ${version}: ${release.status} by CI, ${approved.status} by the admin, ${published.status} by the seller`);
  return file.sha256Hex;
}

/** Two devices run the version before; each asks with its lease. */
export async function updateApps(productId: string, leases: { covered: string; ended: string }, sha256Hex: string): Promise<void> {
  chapter('14. The app of a license with updates finds the new version and downloads it; without, it is told that there is one');
  const { update } = await check(productId, leases.covered);
  const url = update?.artifacts[0]?.url;
  if (update?.version !== version || url === undefined) throw new Error('The covered app is not offered the release.');
  const reply = await tracedFetch(url, { headers: { 'X-License-Lease': leases.covered }, redirect: 'manual' });
  const bytes = await (await fetch(reply.headers.get('location') ?? '')).arrayBuffer();
  if (createHash('sha256').update(new Uint8Array(bytes)).digest('hex') !== sha256Hex) throw new Error('Other bytes came than CI uploaded.');
  summary.push(`update of a covered app: ${installed} to ${update.version}, ${bytes.byteLength} bytes, the very ones that CI uploaded`);
  const { code, upgrade } = await check(productId, leases.ended);
  if (upgrade?.version !== version) throw new Error('The app without updates is not told of the release.');
  summary.push(`an app whose updates ended before: ${code}, ${upgrade.version} is to be had at ${upgrade.url}`);
}

const check = (productId: string, lease: string): Promise<UpdateCheck> =>
  expectBody(
    callAs({ 'X-License-Lease': lease }).checkUpdate({
      path: { product_id: productId, proof: '-', channel: 'stable', platform: 'windows', arch: 'x64' },
      query: { current: installed },
    }),
  );
