import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { messages } from '../../infra/documents/clients/license-client.ts';
import { describeActivation } from './conformance/activation.ts';
import { type ClientUnderTest, key } from './conformance/client-under-test.ts';
import { createDevice, type Device } from './conformance/device.ts';
import { describeNetwork } from './conformance/network.ts';
import { describeOffline } from './conformance/offline.ts';
import { granted } from './conformance/scripted-service.ts';
import type { Driver, Language } from './languages/language.ts';

// Many small programs start here, which a busy machine takes its time for.
jest.setTimeout(120_000);

const vectorsPath = join(import.meta.dirname, '..', '..', 'infra', 'documents', 'clients', 'lease-vectors.json');

/** What the client of every language does alike. */
export function describeClient(language: Language): void {
  // On a developer's machine a toolchain may be missing; where changes are judged that is a failure.
  (language.isInstalled() ? describe : describe.skip)(`the ${language.name} client`, () => {
    let folder: string;
    let driver: Driver;
    const waitingTests: (() => Promise<void>)[] = [];
    let begun: Promise<void>[] = [];
    const devices: Device[] = [];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'client-driver-'));
      driver = await language.prepare(folder);
      begun = waitingTests.map((begin) => begin());
      // One that fails early is reported in its turn.
      for (const outcome of begun) outcome.catch(() => undefined);
    }, 300_000);
    afterAll(async () => {
      await Promise.allSettled(begun);
      await Promise.all(devices.map((device) => device.remove()));
      await driver?.stop?.();
      await rm(folder, { recursive: true, force: true });
    });

    test('judges every published lease as it should', async () => {
      const { vectors } = JSON.parse(await readFile(vectorsPath, 'utf8')) as { vectors: { name: string; verdict: string }[] };
      expect(await driver.run(['vectors', vectorsPath])).toEqual(vectors.map(({ name, verdict }) => ({ name, verdict })));
    });

    test('has the same messages as the others', async () => {
      expect(await driver.run(['messages'])).toEqual(messages);
    });

    const client: ClientUnderTest = {
      language,
      async newDevice() {
        const device = await createDevice(driver);
        devices.push(device);
        return device;
      },
      async activatedDevice(terms) {
        const device = await client.newDevice();
        device.service.replyWith(granted(device.service.address, 'activated', terms));
        await device.activate(key);
        return device;
      },
      waitingTest(name, body) {
        const index = waitingTests.push(body) - 1;
        test(name, () => begun[index]);
      },
    };
    describeActivation(client);
    describeOffline(client);
    describeNetwork(client);
  });
}
