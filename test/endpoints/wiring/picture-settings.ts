import { otherBucket } from '../../support/scenes/marketplace.ts';
import { d, type Effect, guarded, shows, stage, table } from './setting-effects.ts';

const newPicture = async () => (await d.addPicture(d.own.product)).path;

/** What each setting of the pictures function changes. */
export const pictureEffects: Record<string, Effect> = {
  STAGE: stage,
  ...guarded(),
  TABLE_NAME: async (...of) => {
    const path = await newPicture();
    await table(async (call) => (await call('GET', path)).status, 200, 404)(...of);
  },
  BUCKET_NAME: async (...of) => {
    const path = await newPicture();
    await shows(async (call) => (await call('GET', path)).status, { default: 200, [otherBucket]: 404, '': 404 })(...of);
  },
};
