import type { Seller } from '../../../../../build/client.ts';

/** What an application holds; of somebody who never applied, with the address that they signed in by. */
export const applicationOf = (seller: Partial<Seller> | undefined, email = '') => ({
  display_name: seller?.display_name ?? '',
  site_url: seller?.site_url ?? '',
  ...contactsOf(seller ?? { contact_email: email }),
});

export const contactsOf = ({ contact_email = '', support_email = '', invoice_registration_number = '' }: Partial<Seller>) => ({
  contact_email,
  support_email,
  invoice_registration_number,
});
type Contacts = ReturnType<typeof contactsOf>;

/** What of them is to be sent: what another tab may have saved of the others stays. */
export const changedContacts = (values: Contacts, base: Contacts): Partial<Contacts> =>
  Object.fromEntries(
    Object.entries(values).filter(([field, value]) => Object.entries(base).some(([one, old]) => one === field && old !== value)),
  );

type Reviewed = Pick<Seller, 'internal_review_status'>;

/** Whether the seller may change what it has. */
export const isEligible = ({ internal_review_status: status }: Reviewed): boolean => status !== 'suspended' && status !== 'rejected';

/** Whether the application is in the seller's hands. */
export const canSubmitApplication = ({ internal_review_status: status }: Reviewed): boolean => status === 'draft' || status === 'rejected';

/** Whether the form of the payment provider was begun, and nobody knows yet what came of it. */
export const isOnboardingStarted = (seller: Pick<Seller, 'payment_onboarding_status'> | undefined): boolean =>
  seller?.payment_onboarding_status === 'onboarding_started' || seller?.payment_onboarding_status === 'account_created';
