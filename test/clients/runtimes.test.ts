import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { messages } from '../../infra/documents/clients/license-client.ts';
import { createDevice, licenseKey } from './device.ts';
import { denoPath, runDriver } from './run-driver.ts';
import { day, json, keys, now, productId, startScriptedService } from './scripted-service.ts';

const service = await startScriptedService();
const device = createDevice(service);
const { script } = device;
beforeEach(device.reset);
afterAll(() => service.stop());

describe.each([
  ['Node', process.execPath],
  ['Deno', denoPath],
])('the TypeScript client under %s', (_, runtime) => {
  (runtime ? test : test.skip)('judges every published lease as it should', async () => {
    const path = join(import.meta.dirname, '../../infra/documents/clients/lease-vectors.json');
    const { vectors } = JSON.parse(readFileSync(path, 'utf8')) as { vectors: { name: string; verdict: string }[] };
    expect(await runDriver(runtime, ['vectors', path])).toEqual(vectors.map(({ name, verdict }) => ({ name, verdict })));
  });

  (runtime ? test : test.skip)('activates, checks, runs offline, and deactivates', async () => {
    const settings = {
      LICENSE_BASE_URL: service.baseUrl,
      LICENSE_PRODUCT_ID: productId,
      LICENSE_KEYS: JSON.stringify(keys),
      LICENSE_STATE: device.path,
      LICENSE_CLOCK_OFFSET: String(now + 60 - Math.floor(Date.now() / 1000)),
      LICENSE_DEVICE_LABEL: 'Studio',
      LICENSE_ALLOW_TEST_KEYS: '1',
    };
    const run = (...args: string[]) => runDriver(runtime, args, settings);
    script(service.valid('activated'), service.valid('valid'), json(200, { valid: true, code: 'deactivated' }));
    expect(await run('activate', licenseKey)).toMatchObject({ allowed: true, code: 'activated', source: 'service', ask_online: false });
    expect(statSync(device.path).mode & 0o777).toBe(0o600);
    expect(await run('check')).toMatchObject({ allowed: true, code: 'valid', until: now + 14 * day, features: ['export'] });
    expect(await run('check-offline')).toMatchObject({ allowed: true, code: 'lease_valid', source: 'lease', ask_online: true });
    expect(await run('deactivate')).toMatchObject({ allowed: false, code: 'deactivated' });
    const { request_code } = (await run('request-code')) as { request_code: string };
    const { n: nonce, d: fingerprint } = JSON.parse(Buffer.from(request_code.slice(5), 'base64url').toString());
    const file = join(device.path, '..', 'license.lease');
    writeFileSync(file, `${await service.lease(fingerprint, { nonce })}\n`);
    expect(await run('import-lease', file)).toMatchObject({ allowed: true, code: 'lease_valid', ask_online: false });
    expect(await run('messages')).toEqual(messages);
  });

  (runtime ? test : test.skip)('keeps its state in the user’s folder, made with the first write', async () => {
    const XDG_STATE_HOME = join(device.path, '..', 'state');
    const settings = { XDG_STATE_HOME, LICENSE_BASE_URL: service.baseUrl, LICENSE_PRODUCT_ID: productId };
    const [code, another] = await Promise.all([1, 2].map(() => runDriver(runtime, ['request-code'], settings)));
    expect(another).toEqual(code);
    const [folder, file] = [join(XDG_STATE_HOME, productId), join(XDG_STATE_HOME, productId, 'license.json')];
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ fingerprint: expect.any(String), nonce: expect.any(String) });
  });
});
