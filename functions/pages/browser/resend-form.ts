import { resendLink } from './api.ts';
import { find, showOnly } from './dom.ts';

/** The form that has a fresh link sent. It answers the same whether or not the address is known. */
export function startResendForm(): void {
  const form = find<HTMLFormElement>('[data-resend]');
  const input = form && find<HTMLInputElement>('input', form);
  if (!form || !input) return;
  form.hidden = false;

  let sending = false;
  const outcome = (name: 'sent' | 'failed' | undefined) =>
    showOnly(name ? find(`[data-resend-${name}]`, form) : null, '[data-resend-sent], [data-resend-failed]', form);
  const busy = (is: boolean) => {
    sending = is;
    showOnly(find(is ? '[data-resend-busy]' : '[data-resend-idle]', form), '[data-resend-busy], [data-resend-idle]', form);
  };
  const valid = (is: boolean) => {
    input.setAttribute('aria-invalid', String(!is));
    showOnly(is ? null : find('[data-resend-error]', form), '[data-resend-error]', form);
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending) return;
    outcome(undefined);
    input.value = input.value.trim();
    valid(input.validity.valid);
    if (!input.validity.valid) return input.focus();
    busy(true);
    const result = await resendLink(input.value);
    busy(false);
    if (!result.ok && result.code === 'invalid_request') {
      valid(false);
      return input.focus();
    }
    outcome(result.ok ? 'sent' : 'failed');
  });
}
