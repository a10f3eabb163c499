import { openDownload, openPurchase, type Purchase, type PurchasedFile } from './api.ts';
import { find, showOnly, showWhen, whenParsed } from './dom.ts';
import { adviceAfterSeconds, nextDelay } from './poll.ts';
import { factsOf, fillPurchase, isIssuing } from './purchase-view.ts';
import { startResendForm } from './resend-form.ts';

/** The buyer's completion token: in the fragment when the page opens, and from then on only here. */
let token = takeToken();
let shown: Purchase | undefined;
/** Which opening of a link is the current one; replies to an older one are dropped. */
let opening = 0;

function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  return given;
}

/** Shows one state of the page, and announces its heading to screen readers. */
function show(...facts: string[]): void {
  showWhen(new Set(facts));
  const heading = [...document.querySelectorAll<HTMLElement>('[data-completion] h1')].find((element) => element.offsetParent);
  const live = find('[data-announce]');
  if (live && heading && live.textContent !== heading.textContent) live.textContent = heading.textContent;
}

function showPurchase(purchase: Purchase, ...more: string[]): void {
  shown = purchase;
  fillPurchase(purchase, download);
  show(...factsOf(purchase), ...more);
}

/** Polls until there is a key to show, or a reason why there is none. */
async function open(): Promise<void> {
  opening += 1;
  const mine = opening;
  shown = undefined;
  if (token === '') return show('no-link');
  show('opening');
  const began = Date.now();
  for (let asked = 0; mine === opening; asked += 1) {
    const outcome = await openPurchase(token);
    if (mine !== opening) return;
    const waited = (Date.now() - began) / 1000;
    const delay = nextDelay(asked, waited);
    const extra = [delay === undefined ? 'stopped' : 'polling', waited >= adviceAfterSeconds ? 'waiting-long' : ''];
    if (outcome.ok) {
      showPurchase(outcome.body);
      if (!isIssuing(outcome.body)) return;
    } else if (!showFailure(outcome.code, extra)) {
      return;
    }
    if (delay === undefined) return;
    await pause(Math.max(delay, outcome.ok ? 0 : outcome.retryAfterSeconds));
  }
}

/** Shows why there is no purchase; returns whether asking again can help. */
function showFailure(code: string, extra: readonly string[]): boolean {
  switch (code) {
    case 'order_not_paid':
      show('waiting', ...extra);
      return true;
    case 'completion_token_expired':
      show('expired-before-shown', 'link-expired');
      return false;
    case 'order_expired':
      show('checkout-ended');
      return false;
    case 'completion_token_invalid':
    case 'invalid_request':
    case 'order_not_found':
      show('link-invalid');
      return false;
    default:
      show('unreachable', ...extra.filter((fact) => fact !== 'waiting-long'));
      return true;
  }
}

let endPause = () => {};

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** Brings a purchase that is on the page up to date: seats, a refund. Without an answer it stays as it is. */
async function refresh(): Promise<boolean> {
  if (!shown) return false;
  const mine = opening;
  const outcome = await openPurchase(token);
  if (mine !== opening || !shown) return false;
  if (outcome.ok) showPurchase(outcome.body);
  else if (outcome.code === 'completion_token_expired') showLinkExpired(shown);
  return outcome.ok;
}

function showLinkExpired(purchase: Purchase): void {
  show(...factsOf(purchase).filter((fact) => fact !== 'link-lasts'), 'expired-while-shown', 'link-expired');
}

async function download(file: PurchasedFile, row: HTMLElement): Promise<void> {
  if (row.dataset['busy']) return;
  row.dataset['busy'] = 'yes';
  const say = (outcome: string) =>
    showOnly(find(`[data-outcome="${outcome}"]`, row) ?? find('[data-outcome="failed"]', row), '[data-outcome]', row);
  say('preparing');
  const outcome = await openDownload(token, file.file_id);
  delete row.dataset['busy'];
  if (!outcome.ok) {
    say(outcome.code === 'file_not_found' ? 'file_not_available' : outcome.code);
    if (outcome.code === 'completion_token_expired' && shown) showLinkExpired(shown);
    if (outcome.code === 'license_not_usable') await refresh();
    return;
  }
  const link = document.createElement('a');
  link.href = outcome.body.download_url;
  link.rel = 'noreferrer';
  link.click();
  say('started');
}

async function copyKey(): Promise<void> {
  const key = find('[data-field="license-key"]');
  const text = shown?.license?.license_key;
  if (!key || !text) return;
  const say = (selector: string) => showOnly(find(selector), '[data-copied], [data-copy-by-hand]');
  try {
    await navigator.clipboard.writeText(text);
    say('[data-copied]');
  } catch {
    getSelection()?.selectAllChildren(key);
    say('[data-copy-by-hand]');
  }
}

function listen(): void {
  find('[data-copy]')?.addEventListener('click', () => void copyKey());
  find('[data-check-now]')?.addEventListener('click', () => {
    if (find('[data-when="stopped"]')?.hidden) endPause();
    else void open();
  });
  find('[data-refresh]')?.addEventListener('click', async () => {
    const note = find('[data-refreshed]');
    if (note) note.hidden = true;
    const fresh = await refresh();
    if (note) note.hidden = !fresh;
  });
  // Another link opened in this tab changes the fragment alone.
  addEventListener('hashchange', () => {
    const next = takeToken();
    if (next === '') return;
    token = next;
    void open();
  });
  let lastSeen = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - lastSeen < 30_000) return;
    lastSeen = Date.now();
    void refresh();
  });
  // The link lives in this page alone, so the page in the other language has to be handed it.
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-language]')) {
    link.addEventListener('click', (event) => {
      if (token === '') return;
      event.preventDefault();
      location.replace(`${link.href}#token=${encodeURIComponent(token)}`);
    });
  }
}

whenParsed(() => {
  startResendForm();
  listen();
  void open();
});
