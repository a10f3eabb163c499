import { expect, test } from '@jest/globals';
import { createDrafts } from '../../../../functions/console/browser/forms/drafts.ts';

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
