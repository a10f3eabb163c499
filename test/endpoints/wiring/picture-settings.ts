import { otherBucket } from '../../support/scenes/marketplace.ts';
import { d, differ, type Effect, guarded, stage, table } from './setting-effects.ts';

const newPicture = async () => (await d.addPicture(d.own.product)).path;

/** What each setting of the pictures function changes. */
export const pictureEffects: Record<string, Effect> = {
  STAGE: stage('pictures'),
  ...guarded((changes) => d.deploy('pictures', changes)),
  TABLE_NAME: async () => {
    const path = await newPicture();
    await table('pictures', async (call) => (await call('GET', path)).status, 200, 404)();
  },
  BUCKET_NAME: async () => {
    const path = await newPicture();
    await differ('pictures', async (call) => (await call('GET', path)).status, [
      [{}, 200],
      [{ BUCKET_NAME: otherBucket }, 404],
      [{ BUCKET_NAME: '' }, 404],
    ]);
  },
};
