import { describe, expect, test } from '@jest/globals';
import { ApiFailure } from '../../../functions/console/browser/api/failure.ts';
import { remedyOf } from '../../../functions/console/browser/uploads/upload-failure.ts';
import {
  newUpload,
  nextUpload,
  type UploadEvent,
  type UploadProcess,
  type UploadState,
  type UploadTask,
} from '../../../functions/console/browser/uploads/upload-state.ts';

const failure = (code: string, status: number) => new ApiFailure({ code, status });
const failed = (code: string, status: number) => ({ name: 'failed', failure: failure(code, status) }) as const;
const found = (fileId: string, isDone: boolean) => ({ name: 'found', found: { fileId, isDone } }) as const;
const before = failure('offline', 0);
const conflict = failure('file_state_conflict', 409);

/** Every event but those that are the same to all, by what a test calls it. */
const events = {
  'locked out': { name: 'locked out' },
  locked: { name: 'locked' },
  'nothing found': { name: 'found', found: undefined },
  'found with room': found('fil_2', false),
  'found there': found('fil_1', true),
  'found there, another': found('fil_2', true),
  declared: { name: 'declared', fileId: 'fil_2' },
  'part stored': { name: 'part stored' },
  sent: { name: 'sent' },
  finalized: { name: 'finalized' },
  waited: { name: 'waited' },
  'no network': failed('offline', 0),
  'session over': failed('unauthenticated', 401),
  forbidden: failed('forbidden', 403),
  'upload ended': failed('upload_not_found', 409),
  'other parts': failed('other_parts', 0),
  'takes no parts': failed('file_state_conflict', 409),
} as const satisfies Record<string, UploadEvent>;

/** An upload to a file, in a state and at a task. */
const at = (state: UploadState, task?: UploadTask['name'], more: Partial<UploadProcess> = {}): UploadProcess => ({
  ...newUpload(false),
  state,
  task: task === 'wait' ? { name: task, seconds: 1 } : task === 'look again' ? { name: task, failure: conflict } : task && { name: task },
  failure: before,
  fileId: 'fil_1',
  target: { fileId: 'fil_1', isOwn: true },
  failures: 4,
  ...more,
});
const others = { target: { fileId: 'fil_1', isOwn: false } };
const none = { target: undefined };

const words = ({ state, task, target, fileId, failure, ended }: UploadProcess) =>
  [
    state,
    task ? task.name : '-',
    target ? `${target.isOwn ? 'own' : 'found'} ${target.fileId}` : `no target, shows ${fileId}`,
    failure?.code ?? 'no failure',
    ...ended,
  ].join(' | ');

/** What an upload comes to, with its own target in the place of $ and its own state in that of =. */
const outcomes: Record<string, string> = {
  elsewhere: 'elsewhere | - | $ | offline',
  find: 'sending | find | $ | no failure',
  anew: 'sending | find | no target, shows fil_1 | no failure | fil_1',
  declare: 'sending | declare | $ | offline',
  send: 'sending | send | $ | no failure',
  send_own: 'sending | send | own fil_2 | offline',
  send_found: 'sending | send | found fil_2 | offline',
  finalize: 'finishing | finalize | $ | offline',
  again: '= | finalize again | $ | offline',
  look: 'finishing | look again | $ | offline',
  done: 'done | - | $ | no failure',
  done_2: 'done | - | no target, shows fil_2 | no failure',
  gone: 'failed | - | no target, shows fil_1 | file_state_conflict | fil_1',
  wait: 'waiting | wait | $ | offline',
  sign_in: 'waiting | sign in | $ | unauthenticated',
};
const failureOf = (event: UploadEvent) => ('failure' in event ? event.failure.code : '');

/** What comes of each event, in the order in which they are told above; nothing does where there is a dot. */
const table: [string, UploadProcess, string][] = [
  ['paused', at('paused'), '. . . . . . . . . . . . . . . . .'],
  ['done', at('done'), '. . . . . . . . . . . . . . . . .'],
  ['failed', at('failed'), '. . . . . . . . . . . . . . . . .'],
  [
    'hashed, without the lock',
    at('hashing', undefined, { ...none, fileId: undefined }),
    'elsewhere find . . . . . . . . . fail fail fail fail fail fail',
  ],
  ['to go on, without the lock', at('sending'), 'elsewhere send . . . . . . . . . fail fail fail fail fail fail'],
  ['behind another tab', at('elsewhere'), 'elsewhere send . . . . . . . . . fail fail fail fail fail fail'],
  ['looking for its file', at('sending', 'find', none), '. . declare send_found done done_2 . . . . . wait sign_in fail fail fail fail'],
  ['declaring its file', at('sending', 'declare', none), '. . . . . . send_own . . . . wait sign_in fail fail fail fail'],
  ['sending to its own file', at('sending', 'send'), '. . . . . . . send finalize . . wait sign_in fail anew fail again'],
  ['sending to one that it found', at('sending', 'send', others), '. . . . . . . send finalize . . wait sign_in fail anew anew again'],
  ['finalizing', at('finishing', 'finalize'), '. . . . . . . . . done . wait sign_in fail anew fail again'],
  ['finalizing again', at('finishing', 'finalize again'), '. . . . . . . . . done . wait sign_in fail anew fail look'],
  ['looking for its own file again', at('finishing', 'look again'), '. . gone gone done gone . . . . . wait sign_in fail fail fail fail'],
  [
    'looking again for one that it found',
    at('finishing', 'look again', others),
    '. . anew anew done anew . . . . . wait sign_in fail fail fail fail',
  ],
  ['waiting', at('waiting', 'wait'), '. . . . . . . . . . send fail fail fail fail fail fail'],
  ['waiting for a file', at('waiting', 'wait', none), '. . . . . . . . . . find fail fail fail fail fail fail'],
  ['waiting for its user to sign in', at('waiting', 'sign in'), '. . . . . . . . . . send fail fail fail fail fail fail'],
];

describe.each(table)('an upload that is %s', (_, upload, row) => {
  test('goes where the table says', () => {
    const target = words(upload).split(' | ')[2] ?? '';
    const cells = row.split(' ');
    for (const [index, [name, event]] of Object.entries(events).entries()) {
      const after = nextUpload(upload, event);
      const cell = cells[index] ?? '';
      const outcome = outcomes[cell] ?? `failed | - | $ | ${failureOf(event)}`;
      if (cell === '.') expect([name, after]).toEqual([name, upload]);
      else expect([name, words(after)]).toEqual([name, outcome.replace('$', target).replace('=', upload.state)]);
      expect(after === upload).toBe(cell === '.');
    }
  });

  test('is paused, goes on, and forgets a file that was withdrawn, whatever it does', () => {
    expect(nextUpload(upload, { name: 'pause' })).toMatchObject({ state: 'paused', failure: undefined, target: upload.target });
    expect(nextUpload(upload, { name: 'pause' }).task).toBeUndefined();
    for (const [isHashed, state] of [
      [false, 'hashing'],
      [true, 'sending'],
    ] as const) {
      const going = nextUpload(upload, { name: 'resume', isHashed });
      expect(going).toMatchObject({ state, failure: undefined, target: upload.target });
      expect(going.task).toBeUndefined();
    }
    const rid = nextUpload(upload, { name: 'withdrawn', fileId: 'fil_1' });
    expect([rid.target, [...rid.ended], rid.state]).toEqual([undefined, ['fil_1'], upload.state]);
  });
});

describe('an upload', () => {
  const [ended, offline] = [events['upload ended'], events['no network']];

  test('takes any file that is there once another tab had the lock', () => {
    const out = nextUpload(at('sending'), { name: 'locked out' });
    expect(out).toMatchObject({ isElsewhere: true, reuse: true });
    expect(nextUpload(out, { name: 'locked' })).toMatchObject({ isElsewhere: false, reuse: true });
  });

  test('remembers that its declaration may arrive without a reply', () => {
    expect(nextUpload(at('sending', 'find', none), events['nothing found']).mayBeDeclared).toBe(true);
  });

  test('begins anew at most twice for a file of its own', () => {
    expect(nextUpload(at('sending', 'send', { renewals: 1 }), ended)).toMatchObject({ renewals: 2, state: 'sending' });
    expect(nextUpload(at('sending', 'send', { renewals: 2 }), ended)).toMatchObject({ renewals: 3, state: 'failed' });
    expect(nextUpload(at('sending', 'send', { ...others, renewals: 2 }), ended)).toMatchObject({ renewals: 2, state: 'sending' });
  });

  test('waits longer after each failure in a row, and counts anew after a part that was stored, or under a new lock', () => {
    const waitsAfter = (upload: UploadProcess) => nextUpload(upload, offline).task;
    expect(waitsAfter(at('sending', 'send'))).toEqual({ name: 'wait', seconds: 16 });
    expect(waitsAfter(nextUpload(at('sending', 'send'), { name: 'part stored' }))).toEqual({ name: 'wait', seconds: 1 });
    expect(waitsAfter(nextUpload(at('sending'), { name: 'locked' }))).toEqual({ name: 'wait', seconds: 1 });
  });

  test('is not begun before it is told to', () => {
    expect(newUpload(true)).toMatchObject({ state: 'paused', reuse: true, fileId: undefined });
  });
});

describe('a failure', () => {
  const seconds = (from: ApiFailure, ...counts: number[]) => {
    const remedies = counts.map((count) => remedyOf(from, count));
    return remedies.map((remedy) => (remedy.name === 'wait' ? remedy.seconds : remedy.name));
  };
  const tooMany = new ApiFailure({ code: 'rate_limited', status: 429, retryAfterSeconds: 90 });

  test.each([
    ['without a network for ever', failure('offline', 0), [1, 2, 4, 8, 16, 30, 30, 30]],
    ['in an outage eight times', failure('dependency_unavailable', 503), [1, 2, 4, 8, 16, 30, 30, 'give-up']],
    ['after a fault of the service as often', failure('internal_error', 500), [1, 2, 4, 8, 16, 30, 30, 'give-up']],
    ['as long as is asked', tooMany, Array(8).fill(90)],
    ['for a sign-in', failure('unauthenticated', 401), Array(8).fill('sign-in')],
    ['never, whatever else it is', failure('product_suspended', 403), Array(8).fill('give-up')],
  ])('is waited for %s', (_, from, expected) => {
    expect(seconds(from, 1, 2, 3, 4, 5, 6, 8, 9)).toEqual(expected);
  });
});
