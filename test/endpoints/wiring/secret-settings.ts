import { startSecretsStore } from '../../support/http/secrets-store.ts';
import { differ, type Effect, newCaller } from './setting-effects.ts';

const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:license-service/staging/TOKEN_KEYS-AbCdEf';

/** The service is not ready while a secret that it names was never set. */
export const secretsToSet: Effect = async () => {
  const store = await startSecretsStore();
  process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = store.endpoint;
  store.create(arn);
  try {
    await differ('health', async (call) => (await call('GET', '/readyz', { sourceIp: newCaller() })).status, [
      [{}, 200],
      [{ SECRETS_TO_SET: arn }, 503],
    ]);
  } finally {
    await store.stop();
  }
};
