import { waitInWords } from './activation-rules.ts';
import type { Failure, Outcome } from './api.ts';
import { fillPattern, find, setHidden, showOnly } from './dom.ts';

/**
 * Shows in the first `.outcome` of a part of the page what came of something: the words of that name, those of
 * an unknown failure where it has none of that name, or nothing for the empty name.
 */
export function showOutcome(within: ParentNode, name: string): void {
  const box = find('.outcome', within);
  if (!box) return;
  const words = name === '' ? null : (wordsFor(name, box) ?? wordsFor('internal_error', box));
  showOnly(words, '[data-outcome]', box);
}

/** Takes back what the page says came of anything. */
export function clearOutcomes(): void {
  setHidden('[data-outcome]', true);
}

const wordsFor = (name: string, box: ParentNode) => find(`[data-outcome="${CSS.escape(name)}"]`, box);

/** Shows what came of a request: the words `done`, or why it failed. */
export function showReplyOutcome(within: ParentNode, outcome: Outcome<unknown>, done: string): void {
  if (!outcome.ok) fillFailure(find('.outcome', within) ?? within, outcome);
  showOutcome(within, outcome.ok ? done : outcome.code);
}

/** Fills in how long to wait, and the number to quote, wherever that part of the page says so. */
export function fillFailure(within: ParentNode, { retryAfterSeconds, requestId }: Failure): void {
  fillPattern('wait', { time: waitInWords(retryAfterSeconds, document.documentElement.lang) }, within);
  fillPattern('request-id', requestId ? { id: requestId } : undefined, within);
}
