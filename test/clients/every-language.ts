import { go, type Language, python, typescript } from './languages.ts';

/** Each language that has a client; its tests need what it names. */
export const languages: readonly Language[] = [typescript, python, go];
