import { type Html, html } from '../../../../shared/html.ts';
import { type HttpReply, pageReply, redirectTo } from '../../http-reply.ts';
import type { HttpRequest } from '../http-request.ts';
import { finishOnboarding, type OnboardingOutcome, onboardingOutcomes } from '../objects/accounts.ts';
import { missing } from '../provider-error.ts';
import type { ProviderStore, Transaction } from '../store/provider-store.ts';
import type { AccountLink, TestAccount } from '../store/records.ts';
import { testPage } from './test-page.ts';

/** The hosted onboarding page behind an account link. A link that was used or is too old leads to its refresh URL. */
export function answerOnboardingPage(store: ProviderStore, request: HttpRequest, token: string): HttpReply {
  const { link, account } = store.change((tx) => findLink(tx, token));
  if (link.used || link.expiresAt <= Date.now()) return redirectTo(link.refreshUrl);
  if (request.method !== 'POST') return pageReply(onboardingPage(account));

  const chosen = new URLSearchParams(request.body).get('outcome');
  const outcome = onboardingOutcomes.find((one) => one === chosen) ?? 'leave';
  store.change((tx) => {
    tx.put('accountLink', token, { ...link, used: true });
    finishOnboarding(tx, account.id, outcome);
  });
  return redirectTo(link.returnUrl);
}

function findLink(tx: Transaction, token: string): { link: AccountLink; account: TestAccount } {
  const link = tx.find('accountLink', token);
  if (!link) throw missing('v2.core.account_link', token);
  return { link, account: tx.get('account', link.account) };
}

const labels: Record<OnboardingOutcome, string> = {
  complete: 'Give everything: the account can take charges',
  jcb_rejected: 'Give everything, and be refused JCB cards: the account can take charges',
  pending: 'Give everything: the provider still checks it',
  needs_information: 'Forget a document: the provider needs information',
  reject: 'Be rejected by the provider',
  leave: 'Go back without finishing',
};

function onboardingPage({ displayName, contactEmail, country }: TestAccount): Html {
  return testPage(
    'Onboarding',
    html`<h1>Onboarding</h1>
<p><strong>${displayName}</strong><br><span class="note">${contactEmail}, ${country}</span></p>
<p>The real page asks for name, address, bank account and documents. Here you choose what comes of it.</p>
<form method="post"><div class="choices">
${onboardingOutcomes.map((outcome) => html`<button name="outcome" value="${outcome}" class="${outcome === 'complete' ? 'first' : ''}">${labels[outcome]}</button>`)}
</div></form>`,
  );
}
