import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  draftOf,
  isDecided,
  startEdit,
  withChoice,
  withSaved,
  withStored,
  withValue,
} from '../../../../functions/console/browser/forms/edit-state.ts';
import { sameValue, type Value } from '../../../../functions/console/browser/forms/values.ts';
import { tries } from '../../../support/depth.ts';

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
