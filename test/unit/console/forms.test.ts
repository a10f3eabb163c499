import { isDeepStrictEqual as equal } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiFailure } from '../../../functions/console/browser/api/failure.ts';
import { createDrafts } from '../../../functions/console/browser/forms/drafts.ts';
import {
  draftOf,
  isDecided,
  startEdit,
  withChoice,
  withSaved,
  withStored,
  withValue,
} from '../../../functions/console/browser/forms/edit-state.ts';
import {
  type FormEvent,
  type FormState,
  isBusy,
  isRepeatable,
  nextForm,
  openForm,
  resendsAfter,
} from '../../../functions/console/browser/forms/form-state.ts';
import { mergeEdit } from '../../../functions/console/browser/forms/merge.ts';
import { priceText, readPrice } from '../../../functions/console/browser/forms/price.ts';
import { sameValue, type Value, type Values, wholeNumber } from '../../../functions/console/browser/forms/values.ts';
import { amountStepOf, defaultCurrencies } from '../../../shared/currencies.ts';
import { tries } from '../../support/depth.ts';

const alike = (_: string, one: Value | undefined, other: Value | undefined) => sameValue(one, other);
const stored = { values: { name: 'Pen', description: 'Draws' }, revision: 3 };
const begun = () => startEdit(stored, undefined, alike);
const inConflict = () =>
  withStored(withValue(begun(), 'name', 'Mine'), { values: { name: 'Theirs', description: 'New' }, revision: 5 }, alike);

test('an edit that changed nothing leaves no draft', () => {
  expect(draftOf(begun(), alike)).toBeUndefined();
  expect(draftOf(withValue(withValue(begun(), 'name', 'X'), 'name', 'Pen'), alike)).toBeUndefined();
});

test('a draft goes on where nothing else changed, and is merged where it did', () => {
  const draft = draftOf(withValue(begun(), 'name', 'Mine'), alike);
  expect(startEdit(stored, draft, alike)).toMatchObject({ values: { name: 'Mine', description: 'Draws' }, conflicts: [] });
  const later = { values: { name: 'Pen', description: 'New' }, revision: 4 };
  expect(startEdit(later, draft, alike)).toMatchObject({ values: { name: 'Mine', description: 'New' }, revision: 4, conflicts: [] });
  const same = { values: { name: 'Mine', description: 'Draws' }, revision: 4 };
  expect(draftOf(startEdit(same, draft, alike), alike)).toBeUndefined();
});

test('a draft of another version of the form gives what fits', () => {
  const draft = { base: { name: ['Pen'], gone: 'x' }, values: { name: ['Mine'], gone: 'y', description: 'D' } };
  expect(startEdit(stored, draft, alike)).toMatchObject({ values: stored.values, conflicts: [] });
});

test('a conflict waits for a choice, also after a reload', () => {
  const open = inConflict();
  expect(open).toMatchObject({ values: { name: 'Mine', description: 'New' }, revision: 5 });
  expect(open.conflicts).toEqual([{ field: 'name', base: 'Pen', theirs: 'Theirs', mine: 'Mine' }]);
  expect(isDecided(open)).toBe(false);
  const again = startEdit({ values: { name: 'Theirs', description: 'New' }, revision: 5 }, draftOf(open, alike), alike);
  expect(again.conflicts).toEqual(open.conflicts);
});

test.each([
  ['base', 'Pen'],
  ['theirs', 'Theirs'],
  ['mine', 'Mine'],
] as const)('choosing %s puts %s in the field', (choice, name) => {
  const chosen = withChoice(withChoice(inConflict(), 'name', 'theirs'), 'name', choice);
  expect(chosen.values.name).toBe(name);
  expect(isDecided(chosen)).toBe(true);
  // A reload does not ask again.
  expect(startEdit({ values: chosen.base, revision: 5 }, draftOf(chosen, alike), alike).conflicts).toEqual([]);
});

test('what is typed on is mine', () => {
  const typed = withValue(withChoice(inConflict(), 'name', 'theirs'), 'name', 'Both');
  expect(typed.conflicts).toMatchObject([{ mine: 'Both', choice: 'mine' }]);
});

test('a conflict that nobody decided stays when more changes, and goes when there is nothing to decide', () => {
  const more = withStored(inConflict(), { values: { name: 'Theirs', description: 'Newer' }, revision: 6 }, alike);
  expect(more.conflicts).toMatchObject([{ base: 'Pen', theirs: 'Theirs' }]);
  const other = withStored(inConflict(), { values: { name: 'Third', description: 'New' }, revision: 6 }, alike);
  expect(other.conflicts).toMatchObject([{ base: 'Pen', theirs: 'Third', mine: 'Mine' }]);
  const equal = withStored(inConflict(), { values: { name: 'Mine', description: 'New' }, revision: 6 }, alike);
  expect(equal.conflicts).toEqual([]);
});

test('what was chosen is asked again when the field changed once more', () => {
  const chosen = withChoice(inConflict(), 'name', 'mine');
  const again = withStored(chosen, { values: { name: 'Third', description: 'New' }, revision: 6 }, alike);
  expect(again.conflicts).toEqual([{ field: 'name', base: 'Theirs', theirs: 'Third', mine: 'Mine' }]);
});

test('what was typed while it was saved stays to be saved', () => {
  const sent = withValue(begun(), 'name', 'Mine');
  const reply = { values: { name: 'Mine', description: 'Draws' }, revision: 4 };
  const saved = withSaved(withValue(sent, 'description', 'Typed on'), sent.values, reply, alike);
  expect(saved).toMatchObject({ base: reply.values, revision: 4, values: { name: 'Mine', description: 'Typed on' } });
  // The same where the read of it was there first.
  expect(withSaved(withStored(withValue(sent, 'description', 'Typed on'), reply, alike), sent.values, reply, alike)).toEqual(saved);
});

const field = fc.constantFrom('name', 'description');
const word = fc.constantFrom('', 'a', 'b', 'c');
const step = fc.oneof(
  fc.record({ does: fc.constant('type' as const), field, word }),
  fc.record({ does: fc.constant('save elsewhere' as const), field, word }),
  fc.record({ does: fc.constant('choose' as const), field, choice: fc.constantFrom('base' as const, 'theirs' as const, 'mine' as const) }),
  fc.record({ does: fc.constant('send' as const) }),
);

test('nothing typed is lost, and nothing of others overwritten unasked, whatever the order; a reload changes nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let server = { values: { name: 'Pen', description: 'Draws' }, revision: 1 };
      let state = startEdit(server, undefined, alike);
      for (const step of steps) {
        const before = state;
        if (step.does === 'type') state = withValue(state, step.field, step.word);
        if (step.does === 'choose') state = withChoice(state, step.field, step.choice);
        if (step.does === 'save elsewhere') {
          server = { values: { ...server.values, [step.field]: step.word }, revision: server.revision + 1 };
        }
        if (step.does === 'send' && isDecided(state)) {
          if (state.revision !== server.revision) {
            state = withStored(state, server, alike);
            for (const name of ['name', 'description'] as const) {
              const isMine = before.values[name] !== before.base[name];
              expect(state.values[name]).toBe(isMine ? before.values[name] : server.values[name]);
              const isBoth = isMine && server.values[name] !== before.base[name] && server.values[name] !== before.values[name];
              if (isBoth) expect(isDecided(state)).toBe(false);
            }
          } else {
            server = { values: state.values, revision: server.revision + 1 };
            state = withSaved(state, state.values, server, alike);
            expect(draftOf(state, alike)).toBeUndefined();
          }
        }
        const reloaded = startEdit({ values: state.base, revision: state.revision }, draftOf(state, alike), alike);
        const open = ({ conflicts }: typeof state) => conflicts.filter(({ choice }) => choice === undefined).map(({ field }) => field);
        expect([reloaded.values, open(reloaded).sort()]).toEqual([state.values, open(state).sort()]);
      }
    }),
    { numRuns: tries(1000) },
  );
});

/** Few values, so that sides often agree. */
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom('', 'a', 'b'),
  fc.boolean(),
  fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('ja:x', 'en:x'), fc.constantFrom('1', '2'), { maxKeys: 2, noNullPrototype: true }),
);
const fields = ['name', 'price_amount', 'features', 'feature_labels'];
const side = fc
  .tuple(value, value, value, value)
  .map((values): Values => Object.fromEntries(fields.map((field, at) => [field, values[at]!])));

test('each field becomes what one side, or both alike, made of it, and stays mine where they differ', () => {
  fc.assert(
    fc.property(side, side, side, (base, mine, theirs) => {
      const merged = mergeEdit({ base, mine, theirs });
      const open = new Map(merged.conflicts.map((conflict) => [conflict.field, conflict]));
      for (const field of fields) {
        const [old, own, other] = [base[field], mine[field], theirs[field]];
        const isConflict = !equal(own, old) && !equal(other, old) && !equal(own, other);
        const conflict = isConflict ? { field, base: old, theirs: other, mine: own } : undefined;
        expect([open.get(field), merged.values[field]]).toEqual([conflict, equal(own, old) ? other : own]);
      }
    }),
    { numRuns: tries(500) },
  );
});

test('what was merged merges again to the same', () => {
  fc.assert(
    fc.property(side, side, side, (base, mine, theirs) => {
      const { values } = mergeEdit({ base, mine, theirs });
      expect(mergeEdit({ base: theirs, mine: values, theirs })).toEqual({ values, conflicts: [] });
    }),
    { numRuns: tries(200) },
  );
});

test('own values that are spelled otherwise there count as saved', () => {
  const alike = (_: string, one: unknown, other: unknown) => String(one).trim() === String(other).trim();
  const merged = mergeEdit({ base: { features: 'a' }, mine: { features: 'a\nb\n' }, theirs: { features: 'a\nb' } }, alike);
  expect(merged).toEqual({ values: { features: 'a\nb' }, conflicts: [] });
});

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

/** The storage of a tab, with room for so many characters. */
function createStorage(room = Number.POSITIVE_INFINITY) {
  const items = new Map<string, string>();
  return {
    items,
    get length() {
      return items.size;
    },
    key: (at: number) => [...items.keys()][at] ?? null,
    getItem: (name: string) => items.get(name) ?? null,
    removeItem: (name: string) => void items.delete(name),
    setItem(name: string, value: string) {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      items.set(name, value);
    },
  };
}

const draft = { base: { name: 'a' }, values: { name: 'b' } };

/** The drafts of a page that is opened by a user. */
function open(storage: ReturnType<typeof createStorage>, user = 'me') {
  const drafts = createDrafts(() => storage);
  drafts.startDrafts(user);
  return drafts;
}

test('a draft outlives the page, under its key', () => {
  const storage = createStorage();
  open(storage).keepDraft('product:1', draft);
  expect([...storage.items.keys()]).toEqual(['draft:product:1']);
  const second = open(storage);
  expect(second.findDraft('product:1')).toEqual(draft);
  second.keepDraft('product:1', undefined);
  expect(storage.items.size).toBe(0);
});

test("another user's go, and what is no draft stays", () => {
  const storage = createStorage();
  storage.setItem('console', 'x');
  open(storage).keepDraft('one', draft);
  expect(open(storage, 'them').findDraft('one')).toBeUndefined();
  expect([...storage.items.keys()]).toEqual(['console']);
});

test('after they were forgotten nothing is kept until somebody signs in', () => {
  const storage = createStorage();
  const drafts = open(storage);
  drafts.keepDraft('one', draft);
  drafts.forgetDrafts();
  drafts.keepDraft('one', draft);
  expect(storage.items.size).toBe(0);
  drafts.startDrafts('me');
  expect(drafts.findDraft('one')).toBeUndefined();
});

test('a full storage keeps them as long as the page, and no older one in their place', () => {
  const storage = createStorage(100);
  const drafts = open(storage);
  const long = { base: { name: 'a' }, values: { name: 'b'.repeat(200) } };
  for (const [kept, items] of [
    [draft, 1],
    [long, 0],
    [draft, 1],
  ] as const) {
    drafts.keepDraft('one', kept);
    expect([drafts.findDraft('one'), storage.items.size]).toEqual([kept, items]);
  }
});

test('a forbidden storage does no harm', () => {
  const drafts = createDrafts(() => {
    throw new DOMException('no', 'SecurityError');
  });
  drafts.startDrafts('me');
  drafts.keepDraft('one', draft);
  expect(drafts.findDraft('one')).toEqual(draft);
  drafts.forgetDrafts();
  expect(drafts.findDraft('one')).toBeUndefined();
});

test.each(['{', 'null', '{"by":"me","base":{},"values":{"a":{"b":1}}}', '[]'])('what somebody else put there is no draft: %s', (text) => {
  const storage = createStorage();
  storage.setItem('draft:one', text);
  expect(open(storage).findDraft('one')).toBeUndefined();
});

describe('a price', () => {
  test.each([
    ['1,200', 'JPY', 1200],
    ['１，２００', 'JPY', 1200],
    ['¥1,200', 'JPY', 1200],
    ['￥1200', 'JPY', 1200],
    ['1200円', 'jpy', 1200],
    ['0', 'JPY', 0],
    ['99,999,999', 'JPY', 99_999_999],
    ['12.50', 'USD', 1250],
    ['12.5', 'USD', 1250],
    ['12', 'usd', 1200],
    ['$1,234.56', 'USD', 123_456],
    ['12.50 USD', 'USD', 1250],
    ["1'200.00", 'CHF', 120_000],
    ['1’200.00', 'CHF', 120_000],
    ['1 200.00 kr', 'SEK', 120_000],
    ['1200', 'ISK', 120_000],
    ['1.25', 'KWD', 1250],
    ['12,50', 'EUR', 1250],
    ['1.234,5 €', 'EUR', 123_450],
    ['1 234,50', 'SEK', 123_450],
  ])('%s in %s is %i', (text, currency, amount) => {
    expect(readPrice(text, currency)).toEqual({ amount });
  });

  test.each([
    ['', 'JPY', 'is missing'],
    ['  ', 'USD', 'is missing'],
    ['-1', 'JPY', 'must be an amount such as 120000'],
    ['1,2', 'JPY', 'must be an amount such as 120000'],
    ['1,25', 'KWD', 'must be an amount such as 120.000'],
    ['1,234,56', 'EUR', 'must be an amount such as 1200.00'],
    ['1.234', 'EUR', 'must have at most 2 decimals in this currency'],
    ['$12', 'JPY', 'must be an amount such as 120000'],
    ['1e3', 'JPY', 'must be an amount such as 120000'],
    ['.5', 'USD', 'must be an amount such as 1200.00'],
    ['12.5', 'JPY', 'must be a whole amount in this currency'],
    ['12.505', 'USD', 'must have at most 2 decimals in this currency'],
    ['1.255', 'KWD', 'must be a multiple of 0.010 in this currency'],
    ['1200.50', 'ISK', 'must be a multiple of 1 in this currency'],
    ['1,000,000', 'USD', 'must be at most 999999.99'],
    ['9'.repeat(400), 'JPY', 'must be at most 99999999'],
  ])('%j in %s: %s', (text, currency, fault) => {
    expect(readPrice(text, currency)).toEqual({ fault });
  });

  test('is written as it is read', () => {
    fc.assert(
      fc.property(fc.constantFrom(...defaultCurrencies, 'ISK', 'KWD'), fc.nat(999_999), (currency, steps) => {
        const amount = steps * amountStepOf(currency);
        if (amount <= 99_999_999) expect(readPrice(priceText(amount, currency), currency)).toEqual({ amount });
      }),
    );
  });
});

test.each([
  ['12', 12],
  ['１２', 12],
  ['1,200', 1200],
  [' 0 ', 0],
  ['-1', -1],
])('%j is the number %d', (text, number) => {
  expect(wholeNumber(text)).toBe(number);
});

test.each(['', '1.5', '1,2', 'x', '1e3', '0x10', '１２個'])('%j is no whole number', (text) => {
  expect(wholeNumber(text)).toBeNaN();
});
