import type { adminStates } from './admin-states.ts';
import { type FailureWords, failures } from './failures.ts';
import type { sellerStates } from './seller-states.ts';
import { states } from './states.ts';

/** What a word may be of: a state, a kind, an action. */
export type WordKind = keyof typeof states | keyof typeof sellerStates | keyof typeof adminStates;

type Words = Record<string, Record<string, string>>;

/** What is known of a role. */
interface RoleWords {
  states: Words;
  failures: Record<string, FailureWords>;
}

let roleWords: RoleWords = { states: {}, failures: {} };

/** Sets the words of the script's role; called once, before anything is rendered. */
export function setRoleWords(role: RoleWords): void {
  roleWords = role;
}

const common: Words = states;

/** The word for a value; a value of a later version reads as it is. */
export const wordOf = (kind: WordKind, value: string): string => find(roleWords.states, kind, value) ?? find(common, kind, value) ?? value;

/** Only what the table has itself: a value of that time may be named like anything. */
function find(words: Words, kind: string, value: string): string | undefined {
  const ofKind = words[kind];
  return ofKind && Object.hasOwn(ofKind, value) ? ofKind[value] : undefined;
}

const unknown: FailureWords =
  LANGUAGE === 'ja'
    ? ['操作できませんでした', 'もう一度お試しください。続く場合はリクエスト番号をお知らせください。']
    : ['That did not work', 'Try again; if it stays so, tell us the request number.'];

/** What did not happen, and what to do next where there is anything; a code of a later version reads calmly too. */
export function failureWords(code: string): { title: string; next: string | undefined } {
  const known = [roleWords.failures, failures].find((words) => Object.hasOwn(words, code));
  const [title, next] = known?.[code] ?? unknown;
  return { title, next };
}

/** Which kinds of words the records of an action use. */
const historyKinds: readonly (readonly [RegExp, ...WordKind[]])[] = [
  [/^mail\.bounced$/, 'bounce'],
  [/^order\.record_mail_report$/, 'mail'],
  [/^order\./, 'order', 'payment'],
  [/^license\./, 'license'],
];

/**
 * What a history or audit record tells before or after its action. Numbers are amounts where payments or orders moved, as
 * `inMoney` writes them, and counts elsewhere; words of unknown kinds read as they are.
 */
export function historyWord(action: string, value: string | number, inMoney: (amount: number) => string): string {
  if (typeof value === 'number') return /^(payment|order)\./.test(action) ? inMoney(value) : value.toLocaleString(LANGUAGE);
  const [, ...kinds] = historyKinds.find(([pattern]) => pattern.test(action)) ?? [];
  return kinds.map((kind) => wordOf(kind, value)).find((word) => word !== value) ?? value;
}
