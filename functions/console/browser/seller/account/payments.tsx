import { useEffect, useState } from 'preact/hooks';
import type { Seller } from '../../../../../build/client.ts';
import { useSend } from '../../api/sends.ts';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announce, useAnnouncements } from '../../components/live.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { State } from '../../components/state.tsx';
import { faultsInMessage } from '../../forms/faults.ts';
import { wordOf } from '../../words/words.ts';
import { texts } from './account-texts.ts';
import { disabledWords, needWords } from './provider-words.ts';
import { isEligible } from './seller-values.ts';

/** A page that is still there after this was not left. */
const leavingMs = 15_000;

const told = (status: Seller['payment_onboarding_status']) => `${texts.payments}: ${wordOf('onboarding', status)}`;

/** How the seller stands with the payment provider, what that needs, and the way there. */
export function Payments({ seller, onSeller }: { seller: Seller; onSeller: (seller: Seller) => void }) {
  const { payment_onboarding_status: status, payment_connected_account_id: account } = seller;
  const refresh = useSend('refreshPayment', {
    done(body) {
      onSeller(body);
      // What changed is told of anyway.
      if (body.payment_onboarding_status === status) announce(told(status));
    },
  });
  const link = useProviderPage();
  useAnnouncements({ payments: told(status) });
  // Who comes back from the provider wants to know what came of it.
  useEffect(() => {
    const url = new URL(location.href);
    if (!url.searchParams.has('returned')) return;
    url.searchParams.delete('returned');
    history.replaceState(null, '', url);
    if (account !== undefined) void refresh.send({});
  }, []);

  const isReady = status === 'charges_enabled' || status === 'payouts_enabled';
  const isOpen = isEligible(seller) && status !== 'rejected';
  const isAddressRefused = faultsInMessage(link.failure?.message ?? '').some(({ field }) => field === 'contact_email');
  return (
    <>
      <p>
        <State of="onboarding" value={status} />
      </p>
      <p>{isEligible(seller) ? texts.onboarding[status] : texts.closed}</p>
      <ProviderFacts seller={seller} />
      {link.failure && (
        <FailureNotice failure={link.failure} notDone={isAddressRefused ? texts.addressRefused : texts.notOpened} onRetry={link.retry} />
      )}
      {isAddressRefused && <p>{texts.changeAddress}</p>}
      {refresh.failure && <FailureNotice failure={refresh.failure} notDone={texts.notRefreshed} onRetry={refresh.retry} />}
      {isOpen && <p class="small">{texts.leaves}</p>}
      <p class="buttons">
        {isOpen && (
          <SendButton
            operation="createAccountLink"
            kind={isReady && needsOf(seller).length === 0 ? 'quiet' : 'main'}
            sending={link.sending}
            onPress={() => void link.send({})}
          >
            {isReady ? texts.update : account === undefined ? texts.start : texts.goOn}
          </SendButton>
        )}
        {account !== undefined && (
          <SendButton operation="refreshPayment" kind="quiet" sending={refresh.sending} onPress={() => void refresh.send({})}>
            {texts.refresh}
          </SendButton>
        )}
        {refresh.sending && <span class="small">{texts.refreshing}</span>}
      </p>
    </>
  );
}

/** Leads to the provider's page; it is on its way there until the browser has left. */
function useProviderPage() {
  const [leaving, setLeaving] = useState(false);
  const link = useSend('createAccountLink', {
    changes: false,
    done({ url }) {
      setLeaving(true);
      setTimeout(() => setLeaving(false), leavingMs);
      location.assign(url);
    },
  });
  return { ...link, sending: link.sending || leaving };
}

const needsOf = ({ payment_requirements_due: due = [] }: Seller) => needWords(due);

/** What the provider says of the seller. */
function ProviderFacts({ seller }: { seller: Seller }) {
  const { payment_disabled_reason: reason, payment_connected_account_id: account } = seller;
  const needs = needsOf(seller);
  return (
    <Facts
      of={[
        [
          texts.dueNow,
          needs.length > 0 && (
            <ul>
              {needs.map((need) => (
                <li key={need}>{need}</li>
              ))}
            </ul>
          ),
        ],
        [texts.why, reason && disabledWords(reason)],
        [texts.account, account && <code>{account}</code>],
      ]}
    />
  );
}
