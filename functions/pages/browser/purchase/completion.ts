import { paymentTakesDays } from '../../../../shared/text/payment-words.ts';
import { correctEmail, type Failure, openDownload, openPurchase } from '../api.ts';
import { fill, find, showState, whenParsed } from '../dom.ts';
import { startEmailForm, startResendForm } from '../email-form.ts';
import { startOffers } from '../offers/offers.ts';
import { clearOutcomes, fillFailure, showOutcome, showReplyOutcome } from '../outcome.ts';
import { startDevices } from './devices.ts';
import { factsOf, hasDevices, isAddition, isIssuing } from './facts.ts';
import type { Download } from './file-rows.ts';
import { likelyAddress } from './likely-address.ts';
import { startLinkForm } from './link-form.ts';
import { showPicture } from './picture.ts';
import { adviceAfterSeconds, nextDelay } from './poll.ts';
import type { Purchase } from './purchase.ts';
import { fillPurchase } from './purchase-view.ts';
import { startReleases } from './releases.ts';
import { startReplaceKey } from './replace-key.ts';
import {
  carryLink,
  forgetLink,
  hasNewLink,
  markCorrected,
  markShown,
  openSession,
  rememberedLicense,
  rememberedProduct,
  rememberLicense,
} from './session.ts';

let session = openSession();
let shown: Purchase | undefined;
/** Why the link of the purchase on the page has ended; empty while it works. */
let ended: 'expired' | 'ended' | '' = '';
/** Which opening of a link is the current one; replies to an older one are dropped. */
let opening = 0;
const product = rememberedProduct();

const devices = startDevices({
  token: () => session.token,
  onFailure: noteEnd,
  onCount(count) {
    if (shown?.license) showPurchase({ ...shown, license: { ...shown.license, activation_count: count } });
  },
});

/** Whether the license covers a release. */
let released = false;
const releases = startReleases({
  token: () => session.token,
  download: (file, row) => download(file, row),
  onFailure: noteEnd,
  onCovered() {
    released = true;
    if (shown) showPurchase(shown);
  },
});

const offers = startOffers({
  token: () => session.token,
  onLeaving: rememberLicense,
  onFailure(failure) {
    noteEnd(failure);
    if (failure.code === 'license_not_usable') void refresh();
  },
  refresh: () => refresh(),
});

/** Shows one state of the page, with what is known whatever the state. */
function show(...facts: string[]): void {
  const { orderId, token } = session;
  showState([...facts, orderId ? 'order-known' : '', product ? 'product-known' : '', rememberedLicense(token) ? 'came-from-license' : '']);
}

function showPurchase(purchase: Purchase): void {
  shown = purchase;
  fillPurchase(purchase, download);
  offers.show(purchase);
  const facts = factsOf(purchase, { ...session, released });
  const lasting = facts.filter((fact) => fact !== 'link-lasts' && fact !== 'offers');
  show(...(ended ? [...lasting, `${ended}-while-shown`, 'link-ended'] : facts));
}

/** Polls until there is a key to show, or a reason why there is none. */
async function open(): Promise<void> {
  opening += 1;
  const mine = opening;
  shown = undefined;
  ended = '';
  released = false;
  releases.show(undefined);
  clearOutcomes();
  const { token, orderId, justBought } = session;
  fill('known-order', orderId ?? '');
  putFreshLink(find('[data-completion] > [data-when="purchase"]'));
  if (token === '') return show('no-link', 'help');
  show('opening', justBought ? 'just-bought' : '');
  const began = Date.now();
  for (let asked = 0; mine === opening; asked += 1) {
    const outcome = await openPurchase(token);
    if (mine !== opening) return;
    const waited = (Date.now() - began) / 1000;
    const delay = nextDelay(asked, waited);
    if (outcome.ok) {
      showOpened(outcome.body);
      if (!isIssuing(outcome.body)) return;
    } else if (!showFailure(outcome, delay !== undefined, waited >= adviceAfterSeconds)) {
      return;
    }
    if (delay === undefined) return;
    await pause(Math.max(delay, outcome.ok ? 0 : outcome.retryAfterSeconds));
  }
}

function showOpened(purchase: Purchase): void {
  showPurchase(purchase);
  void showPicture(purchase.product.slug);
  if (purchase.license?.status === 'active' || isAddition(purchase)) markShown();
  devices.show(hasDevices(purchase) ? purchase.license : undefined);
  releases.show(purchase.license);
}

/** Shows why there is no purchase; returns whether asking again can help. */
function showFailure(failure: Failure, polling: boolean, long: boolean): boolean {
  const { code } = failure;
  switch (code) {
    case 'order_not_paid':
      if (failure.message === paymentTakesDays) {
        show('waiting-days', polling ? '' : 'stopped', session.justBought ? 'just-bought' : '', 'help');
        return true;
      }
      show('waiting', polling ? 'polling' : 'stopped', session.justBought ? 'just-bought' : '', ...(long ? ['waiting-long', 'help'] : []));
      return true;
    case 'order_expired':
      show('checkout-ended', 'help');
      return false;
    case 'completion_token_expired':
      forgetLink(session.token);
      show('expired-before-shown', 'link-ended', 'help');
      return false;
    case 'completion_token_invalid':
    case 'invalid_request':
    case 'order_not_found':
      forgetLink(session.token);
      show('link-invalid', 'help');
      return false;
    default:
      fillFailure(document, failure);
      show(knownTrouble(code), 'trouble', polling ? 'trouble-polling' : 'stopped', 'help');
      return true;
  }
}

const knownTrouble = (code: string) => (find(`[data-when="${CSS.escape(code)}"]`) ? code : 'internal_error');

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

/** Brings a purchase that is on the page up to date: seats, a refund. Without an answer it stays as it is, and `told` says why. */
async function refresh(told?: HTMLElement | null): Promise<void> {
  if (!shown || ended) return;
  const mine = opening;
  const outcome = await openPurchase(session.token);
  if (mine !== opening || !shown) return;
  if (outcome.ok) showOpened(outcome.body);
  else noteEnd(outcome);
  if (told) showReplyOutcome(told, outcome, 'refreshed');
}

/** When a link has ended that was used: keeps what is on the page, and offers a fresh link. */
function noteEnd({ code }: Failure): void {
  if (!shown || !['completion_token_expired', 'completion_token_invalid', 'order_not_found'].includes(code)) return;
  ended = code === 'completion_token_expired' ? 'expired' : 'ended';
  forgetLink(session.token);
  showPurchase(shown);
}

/** The offer of a fresh link stands where it was found that the old one has ended. */
function putFreshLink(place: Element | null): void {
  const offer = find('[data-fresh-link]');
  if (offer && place && !place.contains(offer)) place.after(offer);
}

const download: Download = async (file, row) => {
  if (row.dataset['busy']) return;
  row.dataset['busy'] = 'yes';
  showOutcome(row, 'preparing');
  const { token } = session;
  const outcome = await openDownload(token, file.file_id);
  delete row.dataset['busy'];
  if (token !== session.token) return showOutcome(row, '');
  showReplyOutcome(row, outcome, 'started');
  if (!outcome.ok) {
    noteEnd(outcome);
    if (ended) putFreshLink(find('.file-outcome', row));
    if (outcome.code === 'license_not_usable') await refresh();
    return;
  }
  const link = document.createElement('a');
  link.href = outcome.body.download_url;
  link.rel = 'noreferrer';
  link.click();
};

/** Says something beside the key. */
const showKeyMessage = (name: string) => showOutcome(find('.key-card') ?? document, name);

async function copyKey(): Promise<void> {
  const key = find('[data-field="license-key"]');
  const text = shown?.license?.license_key;
  if (!key || !text) return;
  try {
    await navigator.clipboard.writeText(text);
    showKeyMessage('copied');
  } catch {
    getSelection()?.selectAllChildren(key);
    showKeyMessage('copy-by-hand');
  }
}

function startCorrection(): void {
  let token = '';
  startEmailForm(
    'correct',
    (email) => {
      ({ token } = session);
      return correctEmail(token, email);
    },
    (outcome) => {
      if (token !== session.token) return;
      // The form refuses an address that is used up by itself, and says so there.
      if (outcome.ok) closeCorrection();
      else if (outcome.code === 'completion_token_expired') noteEnd(outcome);
    },
  );
}

/** It has done what it may do, so it makes room for what came of it. */
function closeCorrection(): void {
  markCorrected();
  session.corrected = true;
  if (shown) showPurchase(shown);
  find('[data-corrected]')?.focus();
  void refresh();
}

/** Corrects the address to the one that was probably meant, by the form, which says what came of it. */
function correctAsProposed(): void {
  const details = find<HTMLDetailsElement>('[data-correction]');
  const input = details && find<HTMLInputElement>('input', details);
  if (!input) return;
  details.open = true;
  input.value = likelyAddress(shown?.buyer_email ?? '') ?? '';
  input.form?.requestSubmit();
}

function listen(): void {
  find('[data-propose]')?.addEventListener('click', correctAsProposed);
  // As if that link were opened again.
  find('[data-to-license]')?.addEventListener('click', () => {
    location.hash = `token=${encodeURIComponent(rememberedLicense(session.token))}`;
  });
  find('[data-copy]')?.addEventListener('click', () => void copyKey());
  find('[data-check-now]')?.addEventListener('click', () => {
    if (find('[data-when="stopped"]')?.hidden) endPause();
    else void open();
  });
  const told = find('[data-refresh-outcome]');
  find('[data-refresh]')?.addEventListener('click', () => {
    if (told) showOutcome(told, '');
    void refresh(told);
  });
  addEventListener('online', () => endPause());
  // Another link opened in this tab changes the fragment alone.
  addEventListener('hashchange', () => {
    if (!hasNewLink()) return;
    session = openSession();
    void open();
  });
  let lastSeen = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - lastSeen < 30_000) return;
    lastSeen = Date.now();
    void refresh();
  });
  carryLink('[data-language], [data-keeps-link]', () => session);
}

whenParsed(() => {
  find('[data-product]')?.setAttribute('href', product ?? '/');
  startResendForm();
  startLinkForm((token) => {
    session = openSession(token);
    void open();
  });
  startCorrection();
  startReplaceKey({
    token: () => session.token,
    onFailure(failure) {
      noteEnd(failure);
      if (failure.code === 'moves_exhausted') void refresh();
    },
    onReplaced(purchase) {
      showOpened(purchase);
      showKeyMessage('replaced');
      find('#key')?.focus();
    },
  });
  listen();
  void open();
});
