import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApiFailure } from '../../../functions/console/browser/api/failure.ts';
import { hashFile } from '../../../functions/console/browser/uploads/hash-file.ts';
import { createUpload, type UploadProgress, type UploadTools } from '../../../functions/console/browser/uploads/upload.ts';
import type { UploadApi } from '../../../functions/console/browser/uploads/upload-api.ts';
import type { ChosenFile } from '../../../functions/console/browser/uploads/upload-plan.ts';
import { chosenFile } from '../../support/scenes/console/upload-scene.ts';
import { type FileHarness, partBytes, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = randomBytes(2 * partBytes + 7);

let harness: FileHarness;
/** The lengths of the bodies that the store took. */
const taken: number[] = [];
beforeAll(async () => {
  harness = await startFileHarness();
});
afterAll(() => harness.stop());

function runningHash() {
  let hash = createHash('sha256');
  return {
    init() {
      hash = createHash('sha256');
    },
    update: (read: Uint8Array) => hash.update(read),
    digest: () => hash.digest('hex'),
  };
}

const api = (): UploadApi => {
  const base = `/v1/products/${harness.product.id}/files`;
  async function ask(method: string, path: string, body?: unknown) {
    const { status, json } = await harness.call(method, base + path, body === undefined ? {} : { body });
    if (status >= 300) throw new ApiFailure({ code: json.code, status });
    return json;
  }
  return {
    list: (cursor) => ask('GET', `?limit=2${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`),
    declare: (body) => ask('POST', '/upload-intent', body),
    stored: (fileId) => ask('GET', `/${fileId}/parts`),
    sign: (fileId, parts) => ask('POST', `/${fileId}/parts`, { parts }),
    finalize: (fileId, body) => ask('POST', `/${fileId}/finalize`, body),
    withdraw: (fileId) => ask('POST', `/${fileId}/withdraw`),
  };
};

const put: UploadTools['put'] = async ({ url, headers, body }, { signal, onBytes }) => {
  const { 'content-length': _, ...sent } = headers;
  const reply = await fetch(url, { method: 'PUT', headers: sent, body, signal });
  onBytes(body.size);
  if (reply.ok) taken.push(body.size);
  return { status: reply.status, code: /<Code>(\w+)<\/Code>/.exec(await reply.text())?.[1] ?? '' };
};

function begin(file: ChosenFile, tools: Partial<UploadTools> = {}) {
  const shown: UploadProgress = { state: 'hashing', hashedBytes: 0, sentBytes: 0 };
  const run = createUpload(
    { productId: harness.product.id, purpose: 'download', file, contentType: 'application/zip', reuse: true },
    {
      api: api(),
      hash: (chosen, onBytes) => ({
        done: hashFile(chosen, { whole: runningHash(), part: runningHash(), onBytes, mayGoOn: async () => {} }),
        pause() {},
        resume() {},
        stop() {},
      }),
      put,
      lock: (_name, _signal, { run: go }) => go(),
      wait: async (seconds) => harness.pass(seconds),
      untilSignedIn: () => Promise.reject(new Error('Nobody is signed out.')),
      now: () => harness.now().getTime(),
      ...tools,
    },
    (change) => Object.assign(shown, change),
  );
  return { run, shown };
}

describe('uploads of the console, over the endpoints and the store', () => {
  test('go on after the tab was closed with what is missing, arrive as they are, and are there for whoever chooses the file again', async () => {
    let begun = 0;
    const file = chosenFile(bytes, 'イン?ストーラー.zip');
    const interrupted = begin(file, {
      async put(part, options) {
        begun += 1;
        // The third never gets to the store.
        if (begun > 2) return new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason)));
        const reply = await put(part, options);
        if (taken.length === 2) interrupted.run.pause();
        return reply;
      },
    });
    await interrupted.run.settled();
    expect([interrupted.shown.state, taken.length]).toEqual(['paused', 2]);
    // Files that came since push it to another page.
    for (let count = 0; count < 3; count += 1) await harness.upload(Buffer.from(`other ${count}`));
    const next = begin(file);
    await next.run.settled();
    expect([next.shown.state, next.shown.fileId]).toEqual(['done', interrupted.shown.fileId]);
    const again = begin(file);
    await again.run.settled();
    expect([again.shown.fileId, taken.length, taken.reduce((sum, size) => sum + size, 0)]).toEqual([next.shown.fileId, 3, bytes.length]);
    await harness.drain();
    const record = await harness.file(next.shown.fileId as Parameters<typeof harness.file>[0]);
    expect(record).toMatchObject({ fileName: 'イン_ストーラー.zip', hashStatus: 'verified', verifiedSizeBytes: bytes.length });
  });

  test('go on when URLs ended', async () => {
    let begun = 0;
    const slow = begin(chosenFile(bytes, 'slow.zip'), {
      async put(part, options) {
        begun += 1;
        if (begun === 2) harness.pass(16 * 60);
        return put(part, options);
      },
      // A clock that stands does not tell that they ended; the store does.
      now: () => 0,
    });
    await slow.run.settled();
    expect(slow.shown.state).toBe('done');
  });
});
