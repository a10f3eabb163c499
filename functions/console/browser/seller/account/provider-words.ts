import { say } from './account-texts.ts';

const needs = Object.entries(say.needs);

/**
 * What the provider asks for, each once: in words where they are known, else as the provider calls it. Its names are
 * paths, of which the last part that is known says most.
 */
export const needWords = (requirements: readonly string[]): string[] => [
  ...new Set(requirements.map((name) => needs.find(([part]) => name.includes(part))?.[1] ?? name)),
];

/** Why the provider holds payments back, in words where they are known. */
export const disabledWords = (reason: string): string => Object.entries(say.disabled).find(([code]) => code === reason)?.[1] ?? reason;
