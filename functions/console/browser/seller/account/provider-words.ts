import { texts } from './account-texts.ts';

const find = (known: Readonly<Record<string, string>>, name: string): string =>
  Object.entries(known).find(([part]) => name.includes(part))?.[1] ?? name;

/** What the provider asks for, each once: in words where they are known, else as the provider calls it. */
export const needWords = (requirements: readonly string[]): string[] => [...new Set(requirements.map((name) => find(texts.needs, name)))];

/** Why the provider holds payments back, in words where they are known. */
export const disabledWords = (reason: string): string => find(texts.disabled, reason);
