import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { startProcess } from '../../support/engines/child-process.ts';
import { startTestObjectStore, testBucket, testCredentials } from '../../support/engines/test-object-store.ts';
import { partSize, partsBy } from '../../support/scenes/parts-by.ts';
import { temporaryFolder } from '../../support/scenes/stack.ts';

const lives = [0, 1, 2];
const [first, last] = [randomBytes(partSize), Buffer.from('the rest')];
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');

test('an object store that is killed has all that it acknowledged, nothing by halves, and parts that are apart or put together', async () => {
  const folder = await temporaryFolder();
  const body = randomBytes(100_000);
  const objects: string[] = [];
  const stored = new Map<number, Buffer>();
  const whole: { key: string; id: string; named: object[] }[] = [];
  let upload: string | undefined;
  for (const life of lives) {
    const mortal = await startProcess('./object-store-process.ts', [folder.path]);
    const client = new S3Client({ endpoint: mortal.said, region: 'us-east-1', credentials: testCredentials, maxAttempts: 1 });
    const writeObjects = async (writer: string) => {
      for (let at = 0; ; at += 1) {
        const Key = `life ${life}/${writer}/${at}`;
        await client.send(new PutObjectCommand({ Bucket: testBucket, Key, Body: body, IfNoneMatch: '*' }));
        objects.push(Key);
      }
    };
    const open = partsBy(client, 'open');
    upload ??= await open.begin();
    const writeParts = async (id: string) => {
      for (let at = 0; ; at += 1) {
        const number = 1 + (at % 10);
        const part = randomBytes(100_000);
        // Until it is acknowledged nobody can tell which of the two is there.
        stored.delete(number);
        await open.store(id, number, part);
        stored.set(number, part);
      }
    };
    const parts = partsBy(client, `whole ${life}`);
    const id = await parts.begin();
    const named = [await parts.store(id, 1, first), await parts.store(id, 2, last)];
    whole.push({ key: `whole ${life}`, id, named });

    const acknowledged = async (count: number) => {
      while (objects.length < count || stored.size < 5) await sleep(2);
    };
    const writers = Promise.allSettled([writeObjects('a'), writeObjects('b'), writeParts(upload)]);
    await acknowledged((life + 1) * 12);
    const completing = parts.complete(id, named, { IfNoneMatch: '*' }).catch(() => undefined);
    // Before it can be done, in the midst of it, and afterwards.
    await acknowledged(objects.length + life);
    mortal.child.kill('SIGKILL');
    await Promise.all([writers, completing]);
    client.destroy();
  }

  const store = await startTestObjectStore({ directory: folder.path });
  const read = async (Key: string) => {
    const { Body } = await store.client.send(new GetObjectCommand({ Bucket: testBucket, Key }));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  };
  for (const key of objects) expect((await read(key)).equals(body)).toBe(true);
  const open = partsBy(store.client, 'open');
  const found = new Map((await open.list(upload ?? '')).Parts?.map((part) => [part.PartNumber, part.ChecksumSHA256]));
  for (const [number, part] of stored) expect(found.get(number)).toBe(sha256(part));
  await open.abort(upload ?? '');
  for (const { key, id, named } of whole) {
    const parts = partsBy(store.client, key);
    await parts
      .complete(id, named, { IfNoneMatch: '*' })
      .catch(({ name }) => expect(['PreconditionFailed', 'NoSuchUpload']).toContain(name));
    await parts.abort(id).catch(({ name }) => expect(name).toBe('NoSuchUpload'));
    expect((await read(key)).equals(Buffer.concat([first, last]))).toBe(true);
  }
  const left = await readdir(join(folder.path, 'multipart'), { recursive: true });
  expect(left.filter((name) => name.endsWith('.data'))).toEqual([]);
  await store.stop();
  await folder.remove();
}, 60_000);
