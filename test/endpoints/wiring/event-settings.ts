import { openText } from '../../../shared/crypto/sealed-text.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { findEndpoint } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { keyringOf, keyringText } from '../../support/samples/licenses.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { httpFunctions } from '../../support/scenes/marketplace.ts';
import { createTestQueue, silentLogger } from '../../support/scenes/projection-harness.ts';
import { asOwner, type Call, countUntilLimited, d, type Effect, identity, queue, shows, table } from './setting-effects.ts';

const name = 'webhook-endpoints';
const list = '/v1/webhook-endpoints';
const own = () => `${list}/${d.own.endpoint.id}`;
const common = identity(asOwner, () => ['GET', list], 200, 401);

/** Which of the versions opens the secret that is made now. */
async function sealedUnder(call: Call): Promise<string | undefined> {
  await call('POST', `${own()}/rotate-secret`, { headers: asOwner });
  const endpoint = await findEndpoint(d.table, d.own.seller.id, d.own.endpoint.id);
  const sealed = endpoint?.sealedSecret ?? '';
  return ['e1', 'e2'].find((version) => {
    try {
      return openText(sealed, d.own.endpoint.id, keyringOf(version)).startsWith('whsec_');
    } catch {
      return false;
    }
  });
}

/** How often a new seller may have this done. */
const limit = (path: '' | '/rotate-secret'): Effect =>
  shows(
    async (call) => {
      const seller = sampleSeller({ internalReviewStatus: 'approved' });
      await d.table.transact(addSeller(seller));
      const request = { headers: { 'X-User-ID': seller.ownerUserId }, body: { url: 'https://hooks.example.com/' } };
      const of = path && `/${(await call('POST', list, request)).json.id}`;
      return countUntilLimited(call, 'POST', `${list}${of}${path}`, request);
    },
    { default: 10, 2: 2, 3: 3, 0: Number.POSITIVE_INFINITY },
  );

/** What each setting of the webhook-endpoints function changes. */
export const eventEffects = {
  ...common,
  STAGE: async () => {
    await common.STAGE(name);
    const { routes, compose } = httpFunctions.find((found) => found.name === name)!;
    for (const [STAGE, status] of [
      ['local', 200],
      ['staging', 400],
      ['production', 400],
    ] as const) {
      const clients = { settings: { ...d.settings, STAGE }, logger: silentLogger, table: d.table, sender: createTestQueue() };
      const change = { headers: asOwner, body: { url: 'http://127.0.0.1:4000/hook' } };
      const reply = await createCaller(compose(clients), routes)('PATCH', own(), change);
      if (reply.status !== status) throw new Error(`At ${STAGE}: ${reply.text}`);
    }
  },
  PUBLIC_BASE_URL: shows(
    async (call) => (await call('PATCH', own(), { headers: asOwner, body: { url: 'https://own.example/hook' } })).status,
    { default: 200, 'https://own.example': 400, 'https://other.example': 200 },
  ),
  RATE_LIMIT_ENDPOINT_CALLS: limit(''),
  RATE_LIMIT_ROTATIONS: limit('/rotate-secret'),
  TABLE_NAME: table(async (call) => (await call('GET', own(), { headers: asOwner })).status, 200, 404),
  ENCRYPTION_KEYS: shows(sealedUnder, { default: 'e1', [keyringText('e2', 'e1')]: 'e2' }),
  DELIVERY_QUEUE_URL: queue('deliver-events', (call) => call('POST', `${own()}/replay`, { headers: asOwner })),
};
