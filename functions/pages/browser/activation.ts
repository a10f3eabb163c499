import {
  entryFaults,
  failureFaults,
  leaseEndsAt,
  momentInWords,
  readerLocale,
  readRequestCode,
  requestCodeIn,
  waitInWords,
} from './activation-rules.ts';
import { type Activation, activateOfflineDevice } from './api.ts';
import { fill, fillPattern, find, setHidden, showBusy, showOnly, whenParsed } from './dom.ts';

const pageLanguage = document.documentElement.lang;

function startActivation(form: HTMLFormElement, key: HTMLInputElement, code: HTMLTextAreaElement): void {
  let sending = false;
  const busy = (is: boolean) => {
    sending = is;
    showBusy(form, is);
  };

  /** Shows these faults alone, marks their fields and moves the focus to the first. */
  function showFaults(names: readonly string[]): void {
    for (const fault of form.querySelectorAll<HTMLElement>('[data-fault]')) fault.hidden = !names.includes(fault.dataset['fault'] ?? '');
    for (const field of [key, code]) field.setAttribute('aria-invalid', String(faultIn(field.parentElement) !== null));
    const first = faultIn(form);
    const field = first?.closest('.field');
    (field ? find('input, textarea', field) : first)?.focus();
  }
  const faultIn = (part: ParentNode | null) => part && find('[data-fault]:not([hidden])', part);
  const orElse = (name: string, other: string) => (find(`[data-fault="${CSS.escape(name)}"]`, form) ? name : other);

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending) return;
    const requestCode = requestCodeIn(code.value);
    const faults = entryFaults(key.value, requestCode);
    showFaults(faults);
    if (faults.length > 0) return;

    busy(true);
    const outcome = await activateOfflineDevice(key.value, requestCode);
    busy(false);
    if (!outcome.ok) {
      fillPattern('wait', { time: waitInWords(outcome.retryAfterSeconds, pageLanguage) });
      fill('request-id', outcome.requestId);
      showFaults(failureFaults(outcome).map((name) => orElse(name, 'internal_error')));
    } else if (outcome.body.valid === false) {
      showFaults([orElse(outcome.body.code, 'license_unusable')]);
    } else {
      const until = leaseEndsAt(outcome.body.lease);
      // Some networks answer in the name of others.
      if (!until) return showFaults(['unreachable']);
      form.reset();
      showLicenseFile(outcome.body, until);
    }
  });

  startFilePicker(form, code);
  startLicenseFile(() => {
    form.reset();
    showFaults([]);
    setHidden('[data-file-read], [data-file-refused]', true, form);
  });
  form.hidden = false;
}

/** Fills the field with the request code of a file. What a file without one would replace stays. */
function startFilePicker(form: HTMLFormElement, code: HTMLTextAreaElement): void {
  const picker = find<HTMLInputElement>('[data-file]', form);
  find('[data-pick-file]', form)?.addEventListener('click', () => picker?.click());
  picker?.addEventListener('change', async () => {
    const [file] = picker.files ?? [];
    if (!file) return;
    const text = await readRequestCode(file).catch(() => undefined);
    if (text) code.value = text;
    showOnly(find(text ? '[data-file-read]' : '[data-file-refused]', form), '[data-file-read], [data-file-refused]', form);
    // The same file can be chosen again.
    picker.value = '';
  });
}

let address = '';

function showLicenseFile({ code, lease = '', activation_count: used, activation_limit: limit }: Activation, until: Date): void {
  const text = find<HTMLTextAreaElement>('[data-lease]');
  if (text) text.value = lease;
  // A type that no system knows an extension for keeps the name as it is.
  address = URL.createObjectURL(new Blob([lease], { type: 'application/octet-stream' }));
  const save = find('[data-save]');
  save?.setAttribute('href', address);
  save?.setAttribute('download', save.dataset['save'] ?? '');
  showOnly(find(`[data-seat="${CSS.escape(code)}"]`), '[data-seat]');
  fill('until', momentInWords(until, readerLocale(pageLanguage, navigator.languages)));
  fillPattern('seats', { used: String(used), limit: String(limit) });
  showOnly(find('[data-state="ready"]'), '[data-state]');
  find('[data-ready]')?.focus();
}

function startLicenseFile(emptyForm: () => void): void {
  const text = find<HTMLTextAreaElement>('[data-lease]');
  const say = (selector: string) => showOnly(find(selector), '[data-copied], [data-copy-by-hand]');

  /** Leaves nothing of a license in the page. */
  function startOver(): void {
    emptyForm();
    if (text) text.value = '';
    URL.revokeObjectURL(address);
    find('[data-save]')?.removeAttribute('href');
    for (const field of ['until', 'seats']) fill(field, '');
    say('[data-none]');
    showOnly(find('[data-state="asking"]'), '[data-state]');
  }

  find('[data-copy]')?.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text?.value ?? '');
      say('[data-copied]');
    } catch {
      text?.focus();
      text?.select();
      say('[data-copy-by-hand]');
    }
  });
  find('[data-start-over]')?.addEventListener('click', () => {
    startOver();
    find('#license-key')?.focus();
  });
  // Browsers keep a page that was left, to go back to it: also for the next person at the machine.
  addEventListener('pagehide', startOver);
}

whenParsed(() => {
  const form = find<HTMLFormElement>('[data-activation]');
  const key = find<HTMLInputElement>('#license-key');
  const code = find<HTMLTextAreaElement>('#request-code');
  if (form && key && code) startActivation(form, key, code);
});
