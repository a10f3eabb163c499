import { useEffect, useRef, useState } from 'preact/hooks';
import type { Seller } from '../../../../../build/client.ts';
import { storeReply, useRead } from '../../api/reads.ts';
import { announce } from '../../components/live.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { texts } from './account-texts.ts';
import { Application, ContactsForm } from './application.tsx';
import { Payments } from './payments.tsx';
import { canSubmitApplication, isEligible, isOnboardingStarted } from './seller-values.ts';

/** What the provider knows of a form that was just finished comes within a minute. */
const newsMs = 60_000;
const pollMs = 3_000;

/** Who sells: the application to do so, how they are reached, and their payments. */
export function AccountScreen() {
  // It has the seller whole, and is no failure where there is none.
  const [expectsUntil] = useState(() => (new URLSearchParams(location.search).has('returned') ? Date.now() + newsMs : 0));
  const overview = useRead(
    'getOverview',
    {},
    { every: (read) => isOnboardingStarted(read?.seller) && Date.now() < expectsUntil && pollMs },
  );
  const { body } = overview;
  const heading = useRef<HTMLHeadingElement>(null);
  const [applied, setApplied] = useState(0);
  // The form that was sent may be gone.
  useEffect(() => {
    if (applied > 0) heading.current?.focus();
  }, [applied]);

  const keep = (seller: Seller) => body && storeReply('getOverview', {}, { ...body, seller });
  return (
    <Screen title={texts.title}>
      <Loaded of={overview}>
        {({ seller }) => (
          <>
            <section class="card">
              <h2 ref={heading} tabIndex={-1}>
                {texts.application}
              </h2>
              <Application
                seller={seller}
                onSeller={(handedIn) => {
                  keep(handedIn);
                  announce(texts.handedIn);
                  setApplied((count) => count + 1);
                }}
              />
            </section>
            {seller && isEligible(seller) && !canSubmitApplication(seller) && (
              <section class="card">
                <h2>{texts.contacts}</h2>
                <p>{texts.contactsLead}</p>
                <ContactsForm seller={seller} onSeller={keep} />
              </section>
            )}
            {seller && (
              <section class="card">
                <h2>{texts.payments}</h2>
                <Payments seller={seller} onSeller={keep} />
              </section>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
}
