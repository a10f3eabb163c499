import { describe, expect, test } from '@jest/globals';
import { ApiFailure } from '../../../functions/console/browser/api/failure.ts';
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
type Rows = Partial<Record<keyof typeof events, string>>;

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

const waits = 'waiting | wait | own fil_1 | offline';
const signsIn = 'waiting | sign in | own fil_1 | unauthenticated';
const givesUp = 'failed | - | own fil_1 | forbidden';
const looksElsewhere = 'sending | find | no target, shows fil_1 | no failure | fil_1';
const isDone = 'done | - | own fil_1 | no failure';
const failures: Rows = { 'no network': waits, 'session over': signsIn, forbidden: givesUp };
const withoutTarget = (rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.replace('own fil_1', 'no target, shows fil_1')]));
const ofOthers = (rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.replace('own fil_1', 'found fil_1')]));
/** A failure of each kind that ends an upload which has no file, or no lock, or only waits. */
const ends = (place: string, ...names: (keyof typeof events)[]): Rows =>
  Object.fromEntries(
    names.map((name) => {
      const event = events[name];
      return [name, `failed | - | ${place} | ${'failure' in event ? event.failure.code : ''}`];
    }),
  );
const allFailures = ['no network', 'session over', 'forbidden', 'upload ended', 'other parts', 'takes no parts'] as const;

/** What comes of each event; nothing does of those that are left out. */
const table: [string, UploadProcess, Rows][] = [
  ['paused', at('paused'), {}],
  ['done', at('done'), {}],
  ['failed', at('failed'), {}],
  [
    'hashed, without the lock',
    at('hashing', undefined, { ...none, fileId: undefined }),
    {
      'locked out': 'elsewhere | - | no target, shows undefined | offline',
      locked: 'sending | find | no target, shows undefined | no failure',
      ...ends('no target, shows undefined', ...allFailures),
    },
  ],
  [
    'to go on, without the lock',
    at('sending'),
    {
      'locked out': 'elsewhere | - | own fil_1 | offline',
      locked: 'sending | send | own fil_1 | no failure',
      ...ends('own fil_1', ...allFailures),
    },
  ],
  [
    'behind another tab',
    at('elsewhere'),
    {
      'locked out': 'elsewhere | - | own fil_1 | offline',
      locked: 'sending | send | own fil_1 | no failure',
      ...ends('own fil_1', ...allFailures),
    },
  ],
  [
    'looking for its file',
    at('sending', 'find', none),
    {
      ...withoutTarget(failures),
      'nothing found': 'sending | declare | no target, shows fil_1 | offline',
      'found with room': 'sending | send | found fil_2 | offline',
      'found there': 'done | - | no target, shows fil_1 | no failure',
      'found there, another': 'done | - | no target, shows fil_2 | no failure',
      ...ends('no target, shows fil_1', 'upload ended', 'other parts', 'takes no parts'),
    },
  ],
  [
    'declaring its file',
    at('sending', 'declare', none),
    {
      ...withoutTarget(failures),
      declared: 'sending | send | own fil_2 | offline',
      ...ends('no target, shows fil_1', 'upload ended', 'other parts', 'takes no parts'),
    },
  ],
  [
    'sending to its own file',
    at('sending', 'send'),
    {
      ...failures,
      'part stored': 'sending | send | own fil_1 | no failure',
      sent: 'finishing | finalize | own fil_1 | offline',
      'upload ended': looksElsewhere,
      'takes no parts': 'sending | finalize again | own fil_1 | offline',
      ...ends('own fil_1', 'other parts'),
    },
  ],
  [
    'sending to a file that it found',
    at('sending', 'send', others),
    {
      ...ofOthers({
        ...failures,
        'part stored': 'sending | send | own fil_1 | no failure',
        sent: 'finishing | finalize | own fil_1 | offline',
        'takes no parts': 'sending | finalize again | own fil_1 | offline',
      }),
      'upload ended': looksElsewhere,
      'other parts': looksElsewhere,
    },
  ],
  [
    'finalizing',
    at('finishing', 'finalize'),
    {
      ...failures,
      finalized: isDone,
      'upload ended': looksElsewhere,
      'takes no parts': 'finishing | finalize again | own fil_1 | offline',
      ...ends('own fil_1', 'other parts'),
    },
  ],
  [
    'finalizing again',
    at('finishing', 'finalize again'),
    {
      ...failures,
      finalized: isDone,
      'upload ended': looksElsewhere,
      'takes no parts': 'finishing | look again | own fil_1 | offline',
      ...ends('own fil_1', 'other parts'),
    },
  ],
  [
    'looking for its own file again',
    at('finishing', 'look again'),
    {
      ...failures,
      'nothing found': 'failed | - | no target, shows fil_1 | file_state_conflict | fil_1',
      'found with room': 'failed | - | no target, shows fil_1 | file_state_conflict | fil_1',
      'found there': isDone,
      'found there, another': 'failed | - | no target, shows fil_1 | file_state_conflict | fil_1',
      ...ends('own fil_1', 'upload ended', 'other parts', 'takes no parts'),
    },
  ],
  [
    'looking again for a file that it found',
    at('finishing', 'look again', others),
    {
      ...ofOthers({ ...failures, 'found there': isDone }),
      'nothing found': looksElsewhere,
      'found with room': looksElsewhere,
      'found there, another': looksElsewhere,
      ...ends('found fil_1', 'upload ended', 'other parts', 'takes no parts'),
    },
  ],
  ['waiting', at('waiting', 'wait'), { waited: 'sending | send | own fil_1 | no failure', ...ends('own fil_1', ...allFailures) }],
  [
    'waiting for a file',
    at('waiting', 'wait', none),
    { waited: 'sending | find | no target, shows fil_1 | no failure', ...ends('no target, shows fil_1', ...allFailures) },
  ],
  [
    'waiting for its user to sign in',
    at('waiting', 'sign in'),
    { waited: 'sending | send | own fil_1 | no failure', ...ends('own fil_1', ...allFailures) },
  ],
];

describe.each(table)('an upload that is %s', (_, upload, rows) => {
  test.each(Object.entries(events))('after: %s', (name, event) => {
    const after = nextUpload(upload, event);
    const expected = rows[name as keyof typeof events];
    if (expected === undefined) expect(after).toBe(upload);
    else expect(words(after)).toBe(expected);
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
