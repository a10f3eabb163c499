import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { watchMemory } from '../../support/engines/process-memory.ts';
import { type FileProcesses, startFileProcesses } from '../../support/scenes/file-processes.ts';

const most = 128 * 1024 * 1024;

describe('a file of 1 GiB', () => {
  let processes: FileProcesses;
  beforeAll(async () => {
    processes = await startFileProcesses();
  });
  afterAll(() => processes.stop());

  test('is uploaded, hashed and downloaded while neither store nor hasher grows by 128 MB', async () => {
    const { harness } = processes;
    const declared = processes.declare(1024);
    const store = watchMemory(processes.storePid);
    const fileId = await processes.upload(declared);
    const finalized = await harness.call('POST', `/v1/products/${harness.product.id}/files/${fileId}/finalize`, { body: declared });
    expect(finalized.status).toBe(200);

    const hasher = watchMemory(processes.hasherPid);
    await processes.hash();
    expect(await harness.file(fileId)).toMatchObject({ hashStatus: 'verified', verifiedSha256Hex: declared.sha256_hex });
    expect(hasher.growth()).toBeLessThan(most);

    const url = await processes.approve(fileId);
    const reply = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
    const received = createHash('sha256');
    for await (const chunk of reply) received.update(chunk);
    expect(received.digest('hex')).toBe(declared.sha256_hex);
    expect(store.growth()).toBeLessThan(most);
  }, 240_000);
});
