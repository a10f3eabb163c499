import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import * as z from 'zod/mini';
import { Keyring } from '../../../../shared/crypto/keyring.ts';
import { openText, sealText } from '../../../../shared/crypto/sealed-text.ts';
import { missing } from '../provider-error.ts';
import type { Kind, Records } from './records.ts';

/** Reads and writes of one change. What it returns is a copy: only `put` changes anything. */
export interface Transaction {
  find<K extends Kind>(kind: K, id: string): Records[K] | undefined;
  /** @throws ProviderError where there is none */
  get<K extends keyof typeof nouns>(kind: K, id: string): Records[K];
  /** Those that are `wanted`, else all, in the order in which they were first put. */
  list<K extends Kind>(kind: K, wanted?: (value: Readonly<Records[K]>) => boolean): Records[K][];
  /** In the same order. */
  ids(kind: Kind): string[];
  put<K extends Kind>(kind: K, id: string, value: Records[K]): void;
  remove(kind: Kind, id: string): void;
}

/** What the provider calls those that it knows by an id. */
const nouns = {
  account: 'v2.core.account',
  accountLink: 'v2.core.account_link',
  session: 'checkout.session',
  paymentIntent: 'payment_intent',
  charge: 'charge',
  refund: 'refund',
  dispute: 'dispute',
} as const satisfies Partial<Record<Kind, string>>;

type Maps = { [K in Kind]: Map<string, Records[K]> };
/** `undefined` marks what the change removes. */
type Staged = { [K in Kind]: Map<string, Records[K] | undefined> };
type Entry = [kind: Kind, id: string, value?: unknown];

export type ProviderStore = ReturnType<typeof openStore>;

/**
 * The records of the fake provider: in memory, and with `file` also in a journal.
 *
 * A change is one line of the journal, handed to the system before `change` returns,
 * so a killed process loses nothing it acknowledged, and no change is half there.
 * The lines are encrypted, for they hold buyers' addresses and links.
 */
export function openStore(file?: string) {
  const maps = emptyMaps();
  const journal = file === undefined ? undefined : openJournal(file, maps);

  return {
    /** All of what `work` puts and removes, or nothing when it throws. */
    change<T>(work: (tx: Transaction) => T): T {
      const staged: Staged = emptyMaps();
      const result = work(transactionOf(maps, staged));
      const entries = entriesOf(staged);
      if (entries.length > 0) {
        journal?.append(entries);
        for (const entry of entries) apply(maps, entry);
      }
      return result;
    },
    close(): void {
      journal?.close();
    },
  };
}

function emptyMaps(): Maps {
  return {
    account: new Map(),
    accountLink: new Map(),
    session: new Map(),
    paymentIntent: new Map(),
    charge: new Map(),
    refund: new Map(),
    dispute: new Map(),
    event: new Map(),
    delivery: new Map(),
    delivered: new Map(),
    answer: new Map(),
    settings: new Map(),
    port: new Map(),
  };
}

function transactionOf(maps: Maps, staged: Staged): Transaction {
  const present = <K extends Kind>(kind: K) => {
    const merged = new Map<string, Records[K] | undefined>([...maps[kind], ...staged[kind]]);
    return [...merged].flatMap(([id, value]) => (value === undefined ? [] : [{ id, value }]));
  };
  const find = <K extends Kind>(kind: K, id: string) => structuredClone(staged[kind].has(id) ? staged[kind].get(id) : maps[kind].get(id));
  return {
    find,
    get(kind, id) {
      const found = find(kind, id);
      if (!found) throw missing(nouns[kind], id);
      return found;
    },
    list: (kind, wanted = () => true) =>
      // Only then copied: there may be thousands, of which most are over.
      present(kind)
        .filter(({ value }) => wanted(value))
        .map(({ value }) => structuredClone(value)),
    ids: (kind) => present(kind).map(({ id }) => id),
    put(kind, id, value) {
      staged[kind].set(id, structuredClone(value));
    },
    remove(kind, id) {
      staged[kind].set(id, undefined);
    },
  };
}

const allKinds = emptyMaps();
const isKind = (text: unknown): text is Kind => typeof text === 'string' && Object.hasOwn(allKinds, text);
const kindsOf = (maps: Maps | Staged): Kind[] => Object.keys(maps).filter(isKind);

function entriesOf(maps: Maps | Staged): Entry[] {
  return kindsOf(maps).flatMap((kind) => [...maps[kind]].map(([id, value]): Entry => [kind, id, value]));
}

function apply(maps: Maps, [kind, id, value]: Entry): void {
  if (value === undefined || value === null) maps[kind].delete(id);
  else insert(maps, kind, id, value);
}

function insert<K extends Kind>(maps: Maps, kind: K, id: string, value: unknown): void {
  maps[kind].set(id, z.parse(z.custom<Records[K]>(isObject), value));
}

/** The seal of a line shows that this code wrote it, so the fields of a record are not checked again. */
const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const JournalEntry = z.tuple([z.custom<Kind>(isKind), z.string(), z.unknown()]);

/** How long an idempotency key gives the same answer. */
const answersLastMs = 24 * 3600 * 1000;

/** Reads the journal into `maps`, writes it anew without its history, and appends to it from then on. */
function openJournal(file: string, maps: Maps) {
  const keys = keyOf(`${file}.key`);
  if (existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      for (const entry of readLine(line, keys)) apply(maps, entry);
    }
  }
  for (const [key, { at }] of maps.answer) {
    if (at < Date.now() - answersLastMs) maps.answer.delete(key);
  }
  const seal = (entries: Entry[]) => `${sealText(JSON.stringify(entries), 'journal', keys)}\n`;
  writeFileSync(`${file}.new`, seal(entriesOf(maps)), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  const descriptor = openSync(file, 'a', 0o600);
  return {
    append: (entries: Entry[]) => {
      writeSync(descriptor, seal(entries));
    },
    close: () => closeSync(descriptor),
  };
}

/** A line that was cut off by the end of the process was never acknowledged. */
function readLine(line: string, keys: Keyring): Entry[] {
  if (line === '') return [];
  try {
    return z.parse(z.array(JournalEntry), JSON.parse(openText(line, 'journal', keys)));
  } catch {
    return [];
  }
}

function keyOf(file: string): Keyring {
  if (!existsSync(file)) {
    writeFileSync(file, `1:${randomBytes(32).toString('base64')}`, { mode: 0o600 });
  }
  return Keyring.parse(readFileSync(file, 'utf8'));
}
