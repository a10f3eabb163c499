import { find, showBusy } from '../dom.ts';

/**
 * Has `act` done only after a question that a button opens in its place. The focus goes to the question, and back to
 * the button when the question is gone; `afterwards` may move it on, where the act had a result.
 */
export function startQuestion<Result>(
  within: HTMLElement,
  act: () => Promise<Result | undefined>,
  afterwards: (result: Result) => void,
): void {
  const question = find('[data-question]', within);
  const opener = find('[data-open]', within);
  if (!question || !opener) return;
  let acting = false;

  function close(): void {
    if (!question || !opener || question.hidden) return;
    question.hidden = true;
    opener.hidden = false;
    opener.focus();
  }

  opener.addEventListener('click', () => {
    opener.hidden = true;
    question.hidden = false;
    find('[tabindex]', question)?.focus();
  });
  find('[data-cancel]', question)?.addEventListener('click', () => !acting && close());
  question.addEventListener('keydown', ({ key }) => key === 'Escape' && !acting && close());
  find('[data-confirm]', question)?.addEventListener('click', async () => {
    if (acting) return;
    acting = true;
    showBusy(question, true);
    const result = await act();
    showBusy(question, false);
    acting = false;
    close();
    if (result !== undefined) afterwards(result);
  });
}
