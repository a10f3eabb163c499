import { accessMistakes } from './mistakes/access.ts';
import { edgeMistakes } from './mistakes/edge.ts';
import { formMistakes } from './mistakes/forms.ts';
import { mailMistakes } from './mistakes/mail.ts';
import type { Mistake } from './mistakes/mistake.ts';
import { releaseMistakes } from './mistakes/releases.ts';
import { watchingMistakes } from './mistakes/watching.ts';
import { wiringMistakes } from './mistakes/wiring.ts';

/** Mistakes in the templates, one at least for each rule. */
export const mistakes: readonly Mistake[] = [
  ...formMistakes,
  ...accessMistakes,
  ...wiringMistakes,
  ...releaseMistakes,
  ...watchingMistakes,
  ...mailMistakes,
  ...edgeMistakes,
];
