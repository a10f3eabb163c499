import { readContents } from '../../support/engines/table-contents.ts';
import { bringRelease } from '../../support/scenes/releases/market-releases.ts';
import { asOwner, type Call, d, hoursBetween, identity, shows, table } from './setting-effects.ts';

let made = 0;
const releases = () => `/v1/products/${d.own.product.id}/releases`;

/** In how many hours the bytes are deleted of a release that is taken back. */
async function hoursToDiscard(call: Call): Promise<number> {
  made += 1;
  const id = await bringRelease(d, d.own, 'published', `1.0.${made}`);
  const { json } = await call('POST', `${releases()}/${id}/yank`, { headers: asOwner, body: { reason: 'Broken' } });
  const key = `JOB#discard-upload:${d.own.product.id}/${json.artifacts[0].file_id}`;
  const job = (await readContents(d)).find(({ pk }) => pk === key);
  return Math.round((Date.parse(String(job?.['createdAt'])) - Date.now()) / 3600_000);
}

/** How long after it was handed in a release is due. */
async function hoursToReview(call: Call): Promise<number> {
  made += 1;
  const id = await bringRelease(d, d.own, 'pending_review', `1.0.${made}`);
  return hoursBetween((await call('GET', `${releases()}/${id}`, { headers: asOwner })).json);
}

/** What each setting of the releases function changes. */
export const releaseEffects = () => ({
  ...identity(asOwner, () => ['GET', releases()], 200, 401),
  TABLE_NAME: table(async (call) => (await call('GET', releases(), { headers: asOwner })).status, 200, 404),
  DISCARD_AFTER_HOURS: shows(hoursToDiscard, { default: 24, '2': 2 }),
  REVIEW_DUE_HOURS: shows(hoursToReview, { default: 72, '5': 5 }),
});
