import { type Failure, replaceKey } from '../api.ts';
import { find } from '../dom.ts';
import { tell, tellOutcome } from '../outcome.ts';
import type { Purchase } from './purchase.ts';
import { startQuestion } from './question.ts';

/** The way to a new key; `onReplaced` shows it, after the section has folded itself up. */
export function startReplaceKey(options: {
  token: () => string;
  onFailure: (failure: Failure) => void;
  onReplaced: (purchase: Purchase) => void;
}): void {
  const section = find<HTMLDetailsElement>('[data-replace-key]');
  if (!section) return;
  let replaced: Purchase | undefined;
  startQuestion(
    section,
    async () => {
      tell(section, '');
      const outcome = await replaceKey(options.token());
      replaced = outcome.ok ? outcome.body : undefined;
      if (outcome.ok) return;
      tellOutcome(section, outcome, '');
      options.onFailure(outcome);
    },
    () => {
      if (!replaced) return;
      section.open = false;
      options.onReplaced(replaced);
    },
  );
}
