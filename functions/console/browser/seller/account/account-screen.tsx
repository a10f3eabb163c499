import { useEffect, useRef, useState } from 'preact/hooks';
import type { Seller } from '../../../../../build/client.ts';
import { keepReply, useRead } from '../../api/reads.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { announce } from '../../parts/live.tsx';
import { say } from './account-texts.ts';
import { Application } from './application.tsx';
import { ContactsForm } from './contacts.tsx';
import { Payments } from './payments.tsx';
import { isAtProvider, isEligible, isToHandIn } from './seller-values.ts';

/** What the provider knows of a form that was just finished comes within a minute. */
const newsMs = 60_000;
const pollMs = 3_000;

/** Who sells: the application to do so, how they are reached, and their payments. */
export function AccountScreen() {
  // It has the seller whole, and is no failure where there is none.
  const [expectsUntil] = useState(() => (new URLSearchParams(location.search).has('returned') ? Date.now() + newsMs : 0));
  const overview = useRead('getOverview', {}, { every: (read) => isAtProvider(read?.seller) && Date.now() < expectsUntil && pollMs });
  const { body } = overview;
  const heading = useRef<HTMLHeadingElement>(null);
  const [applied, setApplied] = useState(0);
  // The form that was sent may be gone.
  useEffect(() => {
    if (applied > 0) heading.current?.focus();
  }, [applied]);

  const keep = (seller: Seller) => body && keepReply('getOverview', {}, { ...body, seller });
  return (
    <Screen title={say.title}>
      <Loaded of={overview}>
        {({ seller }) => (
          <>
            <section class="card">
              <h2 ref={heading} tabIndex={-1}>
                {say.application}
              </h2>
              <Application
                seller={seller}
                onSeller={(handedIn) => {
                  keep(handedIn);
                  announce(say.handedIn);
                  setApplied((count) => count + 1);
                }}
              />
            </section>
            {seller && isEligible(seller) && !isToHandIn(seller) && (
              <section class="card">
                <h2>{say.contacts}</h2>
                <p>{say.contactsLead}</p>
                <ContactsForm seller={seller} onSeller={keep} />
              </section>
            )}
            {seller && (
              <section class="card">
                <h2>{say.payments}</h2>
                <Payments seller={seller} onSeller={keep} />
              </section>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
}
