import { describe, expect, test } from '@jest/globals';
import { ApiFailure } from '../../../../functions/console/browser/api/failure.ts';
import {
  type FormEvent,
  type FormState,
  isBusy,
  isRepeatable,
  nextForm,
  openForm,
  resendsAfter,
} from '../../../../functions/console/browser/forms/form-state.ts';

const fault = { field: 'name', text: 'is missing', value: '' };
const earlier = new ApiFailure({ code: 'offline' });
const stale = new ApiFailure({ code: 'stale_revision', status: 409 });
const told = (failure: ApiFailure | undefined, more = {}): Extract<FormEvent, { name: 'failure' }> => ({
  name: 'failure',
  failure,
  faults: [],
  mayMerge: true,
  ...more,
});

/** A form in a state, with all that another state should drop or keep. */
const formIn = (name: FormState['name'], more: Partial<FormState> = {}): FormState => ({
  ...openForm(earlier),
  name,
  faults: [fault],
  status: { name: 'discarded' },
  merges: 2,
  focus: 5,
  ...more,
});

/** Every event, by what a test calls it. */
const events = {
  'a submit': { name: 'submit', isDecided: true, faults: [] },
  'a submit with faults': { name: 'submit', isDecided: true, faults: [fault] },
  'a submit in conflict': { name: 'submit', isDecided: false, faults: [] },
  'a save': { name: 'saved', at: 7 },
  'no save': { name: 'not saved' },
  'no failure any more': told(undefined),
  'the same failure': told(earlier),
  'a failure': told(new ApiFailure({ code: 'forbidden', status: 403 })),
  'faults of the service': told(new ApiFailure({ code: 'invalid_request', status: 400 }), { faults: [fault] }),
  'a stale revision': told(stale),
  'a stale revision of what cannot be read': told(stale, { mayMerge: false }),
  'a merge': { name: 'merged', isDecided: true, isChanged: true },
  'a merge that leaves nothing': { name: 'merged', isDecided: true, isChanged: false },
  'a merge in conflict': { name: 'merged', isDecided: false, isChanged: true },
  'no read': { name: 'not read' },
  'a discard': { name: 'discard' },
  'a restore': { name: 'restore' },
} as const satisfies Record<string, FormEvent>;

type Rows = Record<keyof typeof events, string>;
/** What comes of each in the two states that wait for a user; a dash where nothing does. */
const waiting = {
  'a submit': 'sending none faults:0 merges:0 focus:5',
  'a submit with faults': '= none faults:1 merges:2 focus:6',
  'a submit in conflict': '= undecided faults:1 merges:2 focus:6',
  'a save': '-',
  'no save': '-',
  'no failure any more': 'editing discarded faults:1 merges:2 focus:5',
  'the same failure': '-',
  'a failure': 'failed discarded faults:1 merges:2 focus:5',
  'faults of the service': 'editing discarded faults:1 merges:2 focus:6',
  'a stale revision': 'merging discarded faults:1 merges:2 focus:5',
  'a stale revision of what cannot be read': 'failed discarded faults:1 merges:2 focus:5',
  'a merge': '-',
  'a merge that leaves nothing': '-',
  'a merge in conflict': '-',
  'no read': '-',
  'a discard': 'editing discarded faults:0 merges:2 focus:5',
  'a restore': '= none faults:1 merges:2 focus:5',
} satisfies Rows;
const restored = { 'a restore': waiting['a restore'] };
/** What is asked for while something is under way is not done. */
const nothing = Object.fromEntries(Object.keys(events).map((name) => [name, '-']));
const table = {
  editing: waiting,
  failed: waiting,
  sending: {
    ...nothing,
    ...restored,
    'a save': 'editing saved faults:1 merges:2 focus:5',
    'no save': 'editing discarded faults:1 merges:2 focus:5',
  },
  merging: {
    ...nothing,
    ...restored,
    'a merge': 'sending merged faults:1 merges:3 focus:5',
    'a merge that leaves nothing': 'editing merged faults:1 merges:3 focus:5',
    'a merge in conflict': 'editing discarded faults:1 merges:3 focus:6',
    'no read': 'failed discarded faults:1 merges:2 focus:5',
  },
} satisfies Record<FormState['name'], object>;

const words = ({ name, status, faults, merges, focus }: FormState) =>
  `${name} ${status.name} faults:${faults.length} merges:${merges} focus:${focus}`;

describe.each(Object.entries(table))('a form that is %s', (name, rows) => {
  test.each(Object.entries(rows))('after %s', (event, expected) => {
    const before = formIn(name as FormState['name']);
    const after = nextForm(before, events[event as keyof typeof events]);
    if (expected === '-') expect(after).toBe(before);
    else expect(words(after)).toBe(expected.replace(/^=/, name));
  });
});

describe('a form', () => {
  test('opens below no failure, nor below one that others were told of', () => {
    for (const failure of [undefined, earlier]) {
      expect(words(openForm(failure))).toBe('editing none faults:0 merges:0 focus:0');
      expect(nextForm(openForm(failure), told(failure)).name).toBe('editing');
    }
  });

  test('shows the failure that it was told of, the one that could not be merged too', () => {
    const { failure } = events['a failure'];
    expect(nextForm(openForm(undefined), told(failure))).toMatchObject({ name: 'failed', failure });
    const merging = nextForm(openForm(undefined), told(stale));
    expect(nextForm(merging, { name: 'not read' })).toMatchObject({ name: 'failed', failure: stale });
  });

  test('is merged and sent three times, then its user is asked', () => {
    let form = nextForm(openForm(undefined), events['a submit']);
    for (let time = 1; time <= 3; time += 1) {
      form = nextForm(nextForm(form, { name: 'not saved' }), told(new ApiFailure({ code: 'stale_revision' })));
      expect([time, form.name]).toEqual([time, 'merging']);
      form = nextForm(form, events['a merge']);
    }
    form = nextForm(nextForm(form, { name: 'not saved' }), told(new ApiFailure({ code: 'stale_revision' })));
    expect(form.name).toBe('failed');
    // From then on it counts anew.
    expect(nextForm(form, events['a submit']).merges).toBe(0);
  });

  test('says when it was saved', () => {
    expect(nextForm(formIn('sending'), { name: 'saved', at: 7 }).status).toEqual({ name: 'saved', at: 7 });
  });

  test('keeps a status that is of nothing discarded', () => {
    const before = formIn('editing', { status: { name: 'merged' } });
    expect(nextForm(before, { name: 'restore' })).toBe(before);
  });

  test('is busy while it sends and merges', () => {
    expect((['editing', 'sending', 'merging', 'failed'] as const).filter((name) => isBusy({ name }))).toEqual(['sending', 'merging']);
  });
});

describe('what failed', () => {
  const failure = (status: number, retryAfterSeconds: number) => new ApiFailure({ code: 'x', status, retryAfterSeconds });

  test.each([
    ['too many requests', failure(429, 3), undefined, [true, 3]],
    ['too many requests, for nobody knows how long', failure(429, 0), 1, [true, 0]],
    ['an outage of an edit with a revision', failure(503, 3), 1, [true, 3]],
    ['an outage of what could be done twice', failure(503, 3), undefined, [false, 0]],
    ['an outage for nobody knows how long', failure(503, 0), undefined, [true, 0]],
    ['another failure', failure(500, 3), 1, [true, 0]],
  ])('as %s is offered again, or comes again by itself', (_, of, revision, expected) => {
    const seconds = resendsAfter(formIn('failed', { failure: of }), revision);
    expect([isRepeatable(of, revision), seconds]).toEqual(expected);
    expect(resendsAfter(formIn('editing', { failure: of }), revision)).toBe(0);
  });
});
