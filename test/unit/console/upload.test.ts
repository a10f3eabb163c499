import { beforeEach, describe, expect, test } from '@jest/globals';
import { findUpload } from '../../../functions/console/browser/uploads/find-upload.ts';
import { createUpload, type UploadProgress, type UploadRun } from '../../../functions/console/browser/uploads/upload.ts';
import { type ChosenFile, contentTypeOf, partSizeBytes } from '../../../functions/console/browser/uploads/upload-plan.ts';
import {
  ApiFault,
  bytesOfParts,
  chosenFile,
  createUploadScene,
  offline,
  pass,
  refuse,
  type Step,
} from '../../support/scenes/console/upload-scene.ts';

const bytes = bytesOfParts(5);
const small = Buffer.from('smaller than a part');

let scene: ReturnType<typeof createUploadScene>;
beforeEach(() => {
  scene = createUploadScene();
});

/** Of the same bytes there is one file: a copy of so many takes longer than its upload. */
const chosen = new Map<Uint8Array, ChosenFile>();
function fileOf(of: Uint8Array): ChosenFile {
  const file = chosen.get(of) ?? chosenFile(of);
  chosen.set(of, file);
  return file;
}

/** An upload that was begun, what it shows, and the states that it showed, each once in a row. */
function begin(of: Uint8Array = bytes, { reuse = true, tools = {}, onShow = (_: Partial<UploadProgress>) => {} } = {}) {
  const file = fileOf(of);
  const shown: UploadProgress = { state: 'hashing', hashedBytes: 0, sentBytes: 0 };
  const states: string[] = [];
  const run: UploadRun = createUpload(
    { productId: 'prd_1', purpose: 'download', file, contentType: contentTypeOf(file), reuse },
    { ...scene.tools, ...tools },
    (change) => {
      Object.assign(shown, change);
      if (change.state && change.state !== states.at(-1)) states.push(change.state);
      onShow(change);
    },
  );
  const until = async (state: string) => {
    for (let turn = 0; shown.state !== state; turn += 1) {
      if (turn > 2000) throw new Error(`It is ${shown.state}, never ${state}.`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { run, shown, states, until };
}

/** An upload that has come to its end, or to where it waits for its user. */
async function settled(...options: Parameters<typeof begin>) {
  const begun = begin(...options);
  await begun.run.settled();
  return begun;
}

const once = (sent: number[]) => sent.toSorted((a, b) => a - b);

describe('an upload', () => {
  test('hashes, declares, sends every part once and finalizes', async () => {
    const { shown, states } = await settled();
    expect(states).toEqual(['hashing', 'sending', 'finishing', 'done']);
    expect(shown).toMatchObject({ fileId: 'fil_1', hashedBytes: bytes.length, sentBytes: bytes.length });
    expect(once(scene.sent)).toEqual([1, 2, 3, 4, 5]);
    expect(scene.calls.filter((call) => call === 'sign')).toHaveLength(1);
    expect(scene.files).toMatchObject([{ status: 'pending_review' }]);
  });

  test('sends at most three parts at once', async () => {
    let [now, most] = [0, 0];
    const tools = {
      put: async (...args: Parameters<typeof scene.tools.put>) => {
        now += 1;
        most = Math.max(most, now);
        return scene.tools.put(...args).finally(() => {
          now -= 1;
        });
      },
    };
    await begin(bytes, { tools }).run.settled();
    expect([most, scene.sent.length]).toEqual([3, 5]);
  });

  test.each([
    ['what is missing', [1, 2, 4], [3, 5]],
    ['nothing of what is stored whole', [1, 2, 3, 4, 5], []],
  ])('takes up what was begun before, and sends %s', async (_, stored, missing) => {
    await scene.hold(bytes, stored);
    const { shown } = await settled();
    expect([shown.state, once(scene.sent), scene.files.length, shown.fileId]).toEqual(['done', missing, 1, 'fil_1']);
    expect(scene.files[0]?.status).toBe('pending_review');
  });

  test.each([
    ['another name', { file_name: 'other.zip' }],
    ['another type', { content_type: 'text/plain' }],
    ['another purpose', { purpose: 'image' as const }],
    ['other bytes', { sha256_hex: 'f'.repeat(64) }],
    ['a day that is over', { isOver: true }],
    ['an end', { status: 'disabled' }],
    ['a hash that did not match', { status: 'pending_review', hash_status: 'mismatch' }],
  ])('leaves alone a file with %s', async (_, change) => {
    await scene.hold(bytes, [1, 2], change);
    const { shown } = await settled();
    expect([shown.state, shown.fileId, scene.sent.length]).toEqual(['done', 'fil_2', 5]);
  });

  test('is found on a later page of files, under the name that it got there', async () => {
    await scene.hold(bytes, [1], { file_name: 'イン_ストーラー.zip' });
    const { sha256_hex = '', ...held } = scene.files[0]!;
    const declared = { ...held, sha256_hex, filename: 'イン?ストーラー.zip', part_size_bytes: partSizeBytes };
    const list = async (cursor?: string) => (cursor === 'next' ? { items: scene.files } : { items: [], next_cursor: 'next' });
    expect(await findUpload({ list }, declared, { ended: new Set(), reuse: true })).toEqual({ fileId: 'fil_1', isDone: false });
  });

  test('does not send again what is there, unless that may not be', async () => {
    await scene.hold(bytes, [], { status: 'approved' });
    const there = await settled();
    expect([there.shown.state, there.shown.fileId, there.shown.sentBytes, scene.sent]).toEqual(['done', 'fil_1', bytes.length, []]);
    const again = await settled(bytes, { reuse: false });
    expect([again.shown.fileId, scene.sent.length]).toEqual(['fil_2', 5]);
  });

  test('leaves alone what someone declared in parts of another size', async () => {
    await scene.hold(small);
    const { sign } = scene.tools.api;
    const api = {
      ...scene.tools.api,
      sign: async (...args: Parameters<typeof sign>) => {
        const { items } = await sign(...args);
        return { items: items.map((item) => (args[0] === 'fil_1' ? { ...item, required_headers: { 'content-length': '5' } } : item)) };
      },
    };
    const { shown } = await settled(small, { tools: { api } });
    expect([shown.state, shown.fileId]).toEqual(['done', 'fil_2']);
  });
});

describe('what may pass', () => {
  const steps: Step[] = ['list', 'declare', 'stored', 'sign', 'finalize', 'put'];
  test.each(steps)('no network at %s', async (step) => {
    scene.plan(step, refuse(offline()), refuse(offline()));
    const { shown, states } = await settled();
    expect([shown.state, shown.failure, states.includes('waiting')]).toEqual(['done', undefined, true]);
    expect([once(scene.sent), scene.files.length]).toEqual([[1, 2, 3, 4, 5], 1]);
  });

  test.each(['declare', 'finalize', 'put'] as const)('a reply to %s that is lost', async (step) => {
    scene.plan(step, pass, refuse(offline()));
    const { shown } = await settled(small);
    expect([shown.state, scene.sent, scene.files.map(({ status }) => status)]).toEqual(['done', [1], ['pending_review']]);
  });

  test('is a session that is over, until someone signed in', async () => {
    scene.plan('sign', refuse(new ApiFault(401, 'unauthenticated')));
    const { run, shown, until } = begin();
    await until('waiting');
    expect(shown.failure).toMatchObject({ status: 401 });
    scene.signIn();
    await run.settled();
    expect([shown.state, scene.sent.length]).toEqual(['done', 5]);
  });

  test('are URLs that ended: those of parts that come late are signed again', async () => {
    // The third part takes so long that what was signed for the others ends.
    scene.plan('put', pass, pass, () => scene.pass(16 * 60));
    const { shown } = await settled(bytesOfParts(9));
    expect([shown.state, once(scene.sent)]).toEqual(['done', [1, 2, 3, 4, 5, 6, 7, 8, 9]]);
    expect(scene.calls.filter((call) => call === 'sign').length).toBeGreaterThan(1);
  });

  test.each([
    [404, 'NoSuchUpload'],
    [429, ''],
    [500, 'InternalError'],
    [400, 'RequestTimeout'],
  ])('are eight answers of the store in a row: %d %s; the ninth ends it', async (status, code) => {
    const answered = (times: number) => {
      let left = times;
      const put: typeof scene.tools.put = async (...args) => {
        if (left === 0) return scene.tools.put(...args);
        left -= 1;
        return { status, code };
      };
      return settled(small, { tools: { put } });
    };
    const ended = await answered(9);
    expect(ended.shown).toMatchObject({ state: 'failed', failure: { code: 'dependency_unavailable', status: 503 } });
    const { shown, states } = await answered(8);
    expect([shown.state, states.includes('waiting')]).toEqual(['done', true]);
  });

  test('is the end of an upload while parts are on their way: a new one begins', async () => {
    scene.plan('put', () => {
      for (const file of scene.files) file.isOver = true;
    });
    const { shown } = await settled();
    expect([shown.state, shown.fileId, scene.files.length]).toEqual(['done', 'fil_2', 2]);
  });
});

describe('what does not pass', () => {
  test.each([
    ['declare', 400, 'too_many_files'],
    ['sign', 403, 'product_suspended'],
    ['finalize', 409, 'file_mismatch'],
    ['list', 403, 'forbidden'],
  ] as const)('at %s: %d %s', async (step, status, code) => {
    scene.plan(step, refuse(new ApiFault(status, code)));
    const { run, shown } = await settled(small);
    expect(shown).toMatchObject({ state: 'failed', failure: { code, status } });
    run.resume();
    await run.settled();
    expect([shown.state, scene.sent]).toEqual(['done', [1]]);
  });

  test.each([
    ['is a file that changed after it was hashed, to the store', 400, 'XAmzContentChecksumMismatch', 'file_changed'],
    ['is what the store refuses whatever is signed', 403, 'AccessDenied', 'upload_refused'],
  ])('%s', async (_, status, code, failure) => {
    const { shown } = await settled(small, { tools: { put: async () => ({ status, code }) } });
    expect(shown).toMatchObject({ state: 'failed', failure: { code: failure } });
    expect(scene.calls.filter((call) => call === 'sign').length).toBeLessThan(6);
  });

  test('is a file that can no longer be read, though it looks like no network', async () => {
    const file = chosenFile(small);
    const gone = (): object => ({ size: small.length, slice: gone, arrayBuffer: () => Promise.reject(new Error('NotReadableError')) });
    scene.plan('stored', () => Object.assign(file, { slice: gone }));
    const shown: Partial<UploadProgress>[] = [];
    const run = createUpload(
      { productId: 'prd_1', purpose: 'download', file, contentType: 'application/zip', reuse: true },
      { ...scene.tools, put: () => Promise.reject(offline()) },
      (change) => shown.push(change),
    );
    await run.settled();
    expect(shown.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'file_changed' } });
  });

  test('is a service without a store; the record is taken back', async () => {
    const { declare } = scene.tools.api;
    const api = {
      ...scene.tools.api,
      declare: async (...args: Parameters<typeof declare>) => ({ ...(await declare(...args)), parts: undefined }),
    };
    const { shown } = await settled(small, { tools: { api } });
    expect([shown.failure?.code, scene.files[0]?.status]).toEqual(['storage_not_configured', 'disabled']);
  });

  test('is an upload that someone takes back meanwhile', async () => {
    scene.plan('put', () => {
      for (const file of scene.files) file.status = 'disabled';
    });
    const { shown } = await settled(small);
    expect(shown).toMatchObject({ state: 'failed', failure: { code: 'file_state_conflict' } });
    expect(scene.files).toHaveLength(1);
  });
});

describe('who watches may', () => {
  const steps: Step[] = ['list', 'declare', 'stored', 'sign', 'put', 'finalize'];

  test.each(steps)('pause at %s, and go on without sending a finished part again', async (step) => {
    let paused = false;
    const started: { run?: UploadRun } = {};
    const pause = () => {
      paused = true;
      started.run?.pause();
    };
    scene.plan(step, ...(step === 'put' ? [pass, pass, pass, pass] : []), pause);
    const { run, shown } = begin();
    started.run = run;
    await run.settled();
    expect([paused, shown.state]).toEqual([true, 'paused']);
    run.resume();
    await run.settled();
    expect([shown.state, once(scene.sent), scene.files.length]).toEqual(['done', [1, 2, 3, 4, 5], 1]);
  });

  test('pause while it hashes, and twice in a row', async () => {
    const { run, shown } = begin();
    for (const act of ['pause', 'resume', 'pause'] as const) run[act]();
    await run.settled();
    expect(shown.state).toBe('paused');
    for (const act of ['resume', 'resume'] as const) run[act]();
    await run.settled();
    expect([shown.state, once(scene.sent), scene.files.length]).toEqual(['done', [1, 2, 3, 4, 5], 1]);
  });

  test.each(steps)('cancel at %s, and nothing is left', async (step) => {
    const started: { run?: UploadRun; cancelled?: Promise<void> | undefined } = {};
    scene.plan(step, () => {
      started.cancelled = started.run?.cancel();
    });
    const { run, shown } = begin();
    started.run = run;
    await run.settled();
    await started.cancelled;
    expect(scene.files.every(({ status }) => status === 'disabled')).toBe(true);
    expect(shown.state).not.toBe('done');
  });

  test('cancel after a reply to the declaration was lost', async () => {
    scene.plan('declare', pass, refuse(offline()));
    const wait = (_: number, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { run, until } = begin(small, { tools: { wait } });
    await until('waiting');
    await run.cancel();
    expect(scene.files).toMatchObject([{ status: 'disabled' }]);
  });
});

describe('the same file in two tabs', () => {
  test.each([
    ['is uploaded by one, and both have it', true],
    ['is one file also where one that was there before would not do', false],
  ])('%s', async (_, reuse) => {
    const [first, second] = [begin(bytes, { reuse }), begin(bytes, { reuse })];
    await Promise.all([first.run.settled(), second.run.settled()]);
    expect([first, second].map(({ shown }) => [shown.state, shown.fileId])).toEqual([
      ['done', 'fil_1'],
      ['done', 'fil_1'],
    ]);
    expect([once(scene.sent), scene.files.length]).toEqual([[1, 2, 3, 4, 5], 1]);
    expect([first.states, second.states].filter((states) => states.includes('elsewhere'))).toHaveLength(1);
  });

  test('goes on in the second when the first is paused or closed', async () => {
    const [first, second] = [begin(), begin()];
    await second.until('elsewhere');
    while (scene.sent.length < 2) await new Promise((resolve) => setImmediate(resolve));
    first.run.pause();
    await second.run.settled();
    first.run.resume();
    await first.run.settled();
    expect([first.shown.state, second.shown.state, once(scene.sent), scene.files.length]).toEqual(['done', 'done', [1, 2, 3, 4, 5], 1]);
  });

  test('is not taken back by the tab that only follows', async () => {
    const [first, second] = [begin(), begin()];
    await second.until('elsewhere');
    await Promise.all([second.run.cancel(), first.run.settled()]);
    expect([first.shown.state, scene.files.map(({ status }) => status)]).toEqual(['done', ['pending_review']]);
  });
});
