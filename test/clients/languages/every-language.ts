import { go } from './go.ts';
import { java } from './java.ts';
import type { Language } from './language.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';
import { typescript } from './typescript.ts';

/** Each language that has a client; its tests need what it names. */
export const languages: readonly Language[] = [typescript, python, go, java, rust];
