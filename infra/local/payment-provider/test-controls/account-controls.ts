import * as z from 'zod/mini';
import { accountObject, changeState, closeAccount, finishOnboarding, onboardingOutcomes } from '../objects/accounts.ts';
import { parseParams } from '../objects/parse-params.ts';
import { ProviderError } from '../provider-error.ts';
import { accountStateNames, isAccountState } from '../store/account-states.ts';
import type { TestControl } from './test-control.ts';

const StateBody = z.object({ state: z.string() });
const OnboardingBody = z.object({ outcome: z._default(z.enum(onboardingOutcomes), 'complete') });

/** What sellers do at onboarding, and what the provider decides about their accounts. */
export const accountControls: readonly TestControl[] = [
  {
    method: 'GET',
    path: '/test/accounts',
    does: 'Connected accounts, with the state each is in.',
    run: (tx) => ({
      items: tx.list('account').map((account) => ({
        id: account.id,
        display_name: account.displayName,
        state: account.state,
        closed: account.closed,
        metadata: account.metadata,
      })),
    }),
  },
  {
    method: 'POST',
    path: '/test/accounts/:id/onboarding',
    takes: `{"outcome"?: "${onboardingOutcomes.join('|')}"}`,
    does: 'The seller goes through onboarding and comes back.',
    run: (tx, id, body) => {
      finishOnboarding(tx, id, parseParams(OnboardingBody, body).outcome);
      return accountObject(tx.get('account', id), ['configuration.recipient', 'requirements']);
    },
  },
  {
    method: 'POST',
    path: '/test/accounts/:id/state',
    takes: `{"state": "${accountStateNames.join('|')}|closed"}`,
    does: 'Puts an account into a state, without a visit of the seller.',
    run: (tx, id, body) => {
      const { state } = parseParams(StateBody, body);
      if (state === 'closed') closeAccount(tx, id);
      else if (isAccountState(state)) changeState(tx, id, state);
      else throw new ProviderError(400, `state must be one of: ${accountStateNames.join(', ')}, closed`);
      return accountObject(tx.get('account', id), ['configuration.recipient', 'requirements']);
    },
  },
];
