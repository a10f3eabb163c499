import { find, showInvalid } from '../dom.ts';
import { tokenIn } from './link-text.ts';

/** The field for a link that came without its end. What is pasted goes into no address, and to nobody but `open`. */
export function startLinkForm(open: (token: string) => void): void {
  const form = find<HTMLFormElement>('[data-form="link"]');
  const input = form && find<HTMLInputElement>('input', form);
  if (!form || !input) return;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const token = tokenIn(input.value);
    showInvalid(input, token === '');
    if (token === '') return;
    input.value = '';
    open(token);
  });
}
