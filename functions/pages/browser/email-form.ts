import { type Outcome, resendLink } from './api.ts';
import { find, showBusy, showInvalid } from './dom.ts';
import { showOutcome, showReplyOutcome } from './outcome.ts';

/** A form of the page that sends an e-mail address; `whenDone` hears what came of it. Does nothing where the page has no such form. */
export function startEmailForm(
  name: string,
  send: (email: string) => Promise<Outcome<unknown>>,
  whenDone: (outcome: Outcome<unknown>) => void = () => {},
): void {
  const form = find<HTMLFormElement>(`[data-form="${name}"]`);
  const input = form && find<HTMLInputElement>('input', form);
  if (!form || !input) return;

  let sending = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending) return;
    showOutcome(form, '');
    // As the service reads it: input methods leave full-width characters.
    input.value = input.value.normalize('NFKC').trim();
    showInvalid(input, !input.validity.valid);
    if (!input.validity.valid) return;
    sending = true;
    showBusy(form, true);
    const outcome = await send(input.value);
    showBusy(form, false);
    sending = false;
    if (!outcome.ok && outcome.code === 'invalid_request') return showInvalid(input, true);
    showReplyOutcome(form, outcome, 'sent');
    whenDone(outcome);
  });
}

/** The form that has a fresh link sent. It answers the same whether or not the address is known. */
export const startResendForm = () => startEmailForm('resend', resendLink);
