import { accessMistakes } from './mistakes/access.ts';
import { formMistakes } from './mistakes/forms.ts';
import type { Mistakes } from './mistakes/mistake.ts';
import { watchingMistakes } from './mistakes/watching.ts';
import { wiringMistakes } from './mistakes/wiring.ts';

/** Mistakes in the templates, one at least for each rule. */
export const mistakes: Mistakes = { ...formMistakes, ...accessMistakes, ...wiringMistakes, ...watchingMistakes };
