import { type Outcome, resendLink } from './api.ts';
import { find } from './dom.ts';
import { showOutcome, showReplyOutcome } from './outcome.ts';

/** A form of the page that sends an e-mail address; `whenSent` hears of success. Does nothing where the page has no such form. */
export function startEmailForm(
  name: string,
  send: (email: string) => Promise<Outcome<unknown>>,
  whenDone: (outcome: Outcome<unknown>) => void = () => {},
): void {
  const form = find<HTMLFormElement>(`[data-form="${name}"]`);
  const input = form && find<HTMLInputElement>('input', form);
  if (!form || !input) return;

  let sending = false;
  const valid = (is: boolean) => {
    input.setAttribute('aria-invalid', String(!is));
    const error = find('[data-invalid]', form);
    if (error) error.hidden = is;
    if (!is) input.focus();
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending) return;
    showOutcome(form, '');
    // As the service reads it: input methods leave full-width characters.
    input.value = input.value.normalize('NFKC').trim();
    valid(input.validity.valid);
    if (!input.validity.valid) return;
    sending = true;
    showBusy(form, true);
    const outcome = await send(input.value);
    showBusy(form, false);
    sending = false;
    if (!outcome.ok && outcome.code === 'invalid_request') return valid(false);
    showReplyOutcome(form, outcome, 'sent');
    whenDone(outcome);
  });
}

/** Shows on a button, or wherever else, that something is being done. */
export function showBusy(within: ParentNode, is: boolean): void {
  for (const part of within.querySelectorAll<HTMLElement>('[data-idle]')) part.hidden = is;
  for (const part of within.querySelectorAll<HTMLElement>('[data-busy]')) part.hidden = !is;
}

/** The form that has a fresh link sent. It answers the same whether or not the address is known. */
export const startResendForm = () => startEmailForm('resend', resendLink);
