import { type Failure, replaceKey } from '../api.ts';
import { find } from '../dom.ts';
import { showOutcome, showReplyOutcome } from '../outcome.ts';
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
  startQuestion(
    section,
    async () => {
      showOutcome(section, '');
      const token = options.token();
      const outcome = await replaceKey(token);
      if (token !== options.token()) return undefined;
      if (outcome.ok) return outcome.body;
      showReplyOutcome(section, outcome, '');
      options.onFailure(outcome);
      return undefined;
    },
    (replaced) => {
      section.open = false;
      options.onReplaced(replaced);
    },
  );
}
