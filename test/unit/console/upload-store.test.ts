import { beforeEach, describe, expect, test } from '@jest/globals';
import { hashFile } from '../../../functions/console/browser/uploads/hash-file.ts';
import { createRateMeter } from '../../../functions/console/browser/uploads/rate.ts';
import {
  contentTypeOf,
  faultOf,
  partSizeBytes,
  partsOf,
  type UploadPurpose,
} from '../../../functions/console/browser/uploads/upload-plan.ts';
import { createUploads, isRunning, type Upload } from '../../../functions/console/browser/uploads/upload-store.ts';
import { maxPictureBytes, pictureTypes } from '../../../shared/pictures/picture.ts';
import { ProductFileUploadIntentRequest } from '../../../shared/product-files/create-upload.ts';
import { partSizeBytes as partSizes } from '../../../shared/product-files/parts/upload-parts.ts';
import { ApiFault, bytesOfParts, chosenFile, createUploadScene, offline, refuse } from '../../support/scenes/console/upload-scene.ts';

const bytes = bytesOfParts(3);
const turn = () => new Promise((resolve) => setImmediate(resolve));

function createValue<T>(initial: T) {
  let value = initial;
  return {
    get: () => value,
    set(next: T) {
      value = next;
    },
  };
}

describe('the uploads of a tab', () => {
  let scene: ReturnType<typeof createUploadScene>;
  let shown: ReturnType<typeof createValue<readonly Upload[]>>;
  let ends: ReturnType<typeof createValue<number>>;
  let uploads: ReturnType<typeof createUploads>;
  beforeEach(() => {
    scene = createUploadScene();
    shown = createValue<readonly Upload[]>([]);
    ends = createValue(0);
    uploads = createUploads({ uploads: shown, ends, toolsFor: () => scene.tools });
  });

  const begin = (file = chosenFile(bytes), more = {}) => uploads.start({ productId: 'prd_1', purpose: 'download', file, ...more });
  const states = () => shown.get().map(({ state }) => state);
  async function until(met: () => boolean): Promise<void> {
    for (let turns = 0; !met(); turns += 1) {
      if (turns > 2000) throw new Error(`Never; they are ${states()}.`);
      await turn();
    }
  }

  test('are one for a file that is chosen twice, and another once it is over', async () => {
    const keys = [begin(), begin(chosenFile(bytes))];
    expect(new Set(keys).size).toBe(1);
    await until(() => states()[0] === 'done');
    expect([scene.files.length, ends.get()]).toEqual([1, 1]);
    expect(begin()).not.toBe(keys[0]);
    await until(() => states()[0] === 'done');
    expect([states(), scene.files.length]).toEqual([['done'], 1]);
  });

  test('begin anew for another product, purpose or state of the file', () => {
    const keys = [
      begin(),
      begin(chosenFile(bytes), { productId: 'prd_2' }),
      begin(chosenFile(bytes), { purpose: 'release' }),
      begin(chosenFile(bytes, 'setup.zip', 2)),
      begin(chosenFile(bytes, 'other.zip')),
    ];
    expect(new Set(keys).size).toBe(5);
    for (const key of keys) uploads.pause(key);
  });

  test('go on with a paused one when its file is chosen again', async () => {
    const key = begin();
    uploads.pause(key);
    expect(states()).toEqual(['paused']);
    expect(begin()).toBe(key);
    await until(() => states()[0] === 'done');
  });

  test('let what is over be, and dismiss nothing else', async () => {
    const key = begin();
    uploads.dismiss(key);
    expect(states()).toHaveLength(1);
    await until(() => states()[0] === 'done');
    uploads.pause(key);
    uploads.resume(key);
    await uploads.cancel(key);
    expect(states()).toEqual(['done']);
    uploads.dismiss(key);
    expect(states()).toEqual([]);
  });

  test('vanish when they are cancelled, and come back when that failed', async () => {
    const key = begin();
    await until(() => scene.files.length === 1);
    scene.plan('withdraw', refuse(offline()));
    await uploads.cancel(key);
    expect(shown.get()).toMatchObject([{ key, state: 'failed', failure: { code: 'offline' } }]);
    await uploads.cancel(key);
    expect([states(), scene.files[0]?.status, ends.get()]).toEqual([[], 'disabled', 1]);
  });

  test('are told at once what can never be uploaded, and ask nothing then', async () => {
    begin(chosenFile(Buffer.alloc(0), 'empty.zip'));
    begin(chosenFile(bytes, 'large.zip'), { maxBytes: bytes.length - 1 });
    begin(chosenFile(Buffer.from('x'), 'text.zip'), { purpose: 'image' });
    await turn();
    expect(shown.get().map(({ state, failure }) => [state, failure?.code])).toEqual([
      ['failed', 'file_empty'],
      ['failed', 'file_too_large'],
      ['failed', 'picture_unknown'],
    ]);
    expect(scene.calls).toEqual([]);
  });

  test('keep a tab from closing while they would be cut short, and not while only a sign-in helps', async () => {
    scene.plan('sign', refuse(new ApiFault(401, 'unauthenticated')));
    begin();
    expect(shown.get().every(isRunning)).toBe(true);
    await until(() => states()[0] === 'waiting');
    expect(shown.get().some(isRunning)).toBe(false);
  });
});

describe('what the API would refuse is known before', () => {
  const declared = (file: { name: string; size: number; type: string }, purpose: UploadPurpose) => ({
    filename: file.name,
    contentType: contentTypeOf(file),
    sizeBytes: file.size,
    sha256Hex: 'a'.repeat(64),
    purpose,
  });

  test.each([
    ['a.zip', 1, 'application/zip', 'download'],
    ['a.zip', 0, 'application/zip', 'download'],
    ['名前 (1).zip', 1, '', 'download'],
    ['名前 (1).zip', 1, '', 'release'],
    ['.hidden', 1, '', 'release'],
    [`${'a'.repeat(128)}`, 1, '', 'release'],
    [`${'a'.repeat(129)}`, 1, '', 'release'],
    ['a.txt', 1, 'text/plain;charset=utf-8', 'download'],
    ['a.bad', 1, 'not a type', 'download'],
    ['a.bad', 1, `a/${'b'.repeat(300)}`, 'download'],
    ...pictureTypes.map((type) => ['p', 1, type, 'image'] as const),
    ['p.gif', 1, 'image/gif', 'image'],
    ['p.svg', 1, 'image/svg+xml', 'image'],
  ] as const)('%s of %d bytes, %s, as %s', (name, size, type, purpose) => {
    const file = { name, size, type };
    const isFit = ProductFileUploadIntentRequest.safeParse(declared(file, purpose)).success;
    expect(faultOf(file, { purpose, contentType: contentTypeOf(file) }) === undefined).toBe(isFit);
  });

  test('of pictures the largest', () => {
    const at = (size: number) => faultOf({ name: 'p.png', size }, { purpose: 'image', contentType: 'image/png' });
    expect([at(maxPictureBytes), at(maxPictureBytes + 1)]).toEqual([undefined, 'picture_too_heavy']);
  });

  test('and the parts are as it takes them', () => {
    expect(partSizes.safeParse(partSizeBytes).success).toBe(true);
    expect(partsOf(5 * 1024 ** 3)).toHaveLength(640);
    expect(partsOf(partSizeBytes + 1)).toEqual([
      { partNumber: 1, start: 0, sizeBytes: partSizeBytes },
      { partNumber: 2, start: partSizeBytes, sizeBytes: 1 },
    ]);
  });
});

describe('hashing a file', () => {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const sha256 = (of: Uint8Array) => createHash('sha256').update(of).digest('hex');
  const running = () => {
    let hash = createHash('sha256');
    const init = () => {
      hash = createHash('sha256');
    };
    return { init, update: (read: Uint8Array) => hash.update(read), digest: () => hash.digest('hex') };
  };
  const hashes = () => ({ whole: running(), part: running(), mayGoOn: async () => {} });

  test('gives the whole and each part, and tells how far it is', async () => {
    const told: number[] = [];
    const options = { ...hashes(), onBytes: (hashed: number) => told.push(hashed) };
    expect(await hashFile(chosenFile(bytes), options)).toEqual({
      whole: sha256(bytes),
      parts: partsOf(bytes.length).map(({ start, sizeBytes }) => sha256(bytes.subarray(start, start + sizeBytes))),
    });
    expect(told.slice(-2)).toEqual([2 * partSizeBytes, bytes.length]);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  test.each([
    ['vanished', () => Promise.reject(new Error('NotFoundError'))],
    ['is shorter by now', async () => new ArrayBuffer(3)],
  ])('of a file that %s has words of its own', async (_, arrayBuffer) => {
    const file = Object.assign(chosenFile(bytes), { slice: () => ({ arrayBuffer }) });
    const hashing = hashFile(file, { ...hashes(), onBytes: () => {} });
    await expect(hashing).rejects.toMatchObject({ code: 'file_changed' });
  });
});

describe('rate and time left', () => {
  const mib = 1024 ** 2;

  test('are not told before there is something to go by, then follow what is sent', () => {
    const meter = createRateMeter(100 * mib);
    expect([meter.measure(0, 0), meter.measure(mib, 1000)]).toEqual([{}, {}]);
    expect(meter.measure(2 * mib, 2000)).toEqual({ bytesPerSecond: mib, secondsLeft: 98 });
    expect(meter.measure(3 * mib, 3000)).toEqual({ bytesPerSecond: mib, secondsLeft: 97 });
  });

  test('do not jump with what comes in bursts', () => {
    const meter = createRateMeter(1000 * mib);
    let last = { secondsLeft: 0 };
    const steps: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      const { secondsLeft = 0 } = meter.measure((second + (second % 2 === 0 ? 0 : 0.8)) * 10 * mib, second * 1000);
      if (second > 10) steps.push(secondsLeft - last.secondsLeft);
      last = { secondsLeft };
    }
    expect(Math.max(...steps.map((step) => Math.abs(step + 1)))).toBeLessThan(20);
    expect(steps.filter((step) => step === -1).length).toBeGreaterThan(40);
  });

  test('take no harm from a part that is sent anew, nor from a pause', () => {
    const meter = createRateMeter(100 * mib);
    for (let second = 0; second < 10; second += 1) meter.measure(second * mib, second * 1000);
    expect(meter.measure(5 * mib, 10_000).bytesPerSecond).toBeCloseTo(mib, 0);
    expect(meter.measure(6 * mib, 11_000).bytesPerSecond).toBeCloseTo(mib, 0);
    meter.reset();
    expect(meter.measure(6 * mib, 900_000)).toEqual({});
  });
});
