import { expect } from '@jest/globals';
import { dueAt, error, id, ok, type Row, sellerBody } from './rows.ts';

const application = {
  display_name: 'New Shop',
  contact_email: 'new@example.com',
  support_email: 'new@example.com',
  site_url: 'https://new.example',
};

/** Of users who sell, or apply to. */
export const sellerRows: Record<string, Row> = {
  'sellers: createSeller': {
    ask: () => ({ body: application }),
    reply: () => error(403, 'seller_application_closed'),
    toNobodysSeller: (_, { at }) =>
      ok(
        {
          ...application,
          created_at: at,
          applied_at: at,
          review_due_at: dueAt(at),
          id: id('sel'),
          owner_user_id: expect.stringMatching(/^(outsider|admin)$/),
          internal_review_status: 'pending_review',
          payment_onboarding_status: 'not_started',
          next_steps: ['payments', 'product'],
          revision: 1,
        },
        201,
      ),
  },
  'sellers: getOwnSeller': {
    reply: (shop) => ok(sellerBody(shop, { next_steps: [] })),
    toNobodysSeller: () => error(404, 'seller_not_found'),
  },
  'sellers: updateOwnSeller': {
    ask: () => ({ body: { contact_email: 'desk@example.com' } }),
    reply: (shop) => ok(sellerBody(shop, { contact_email: 'desk@example.com', revision: 2, next_steps: [] })),
    toNobodysSeller: () => error(404, 'seller_not_found'),
  },
  'sellers: createAccountLink': {
    reply: () => ok({ url: expect.stringContaining('/onboarding/') }),
    toNobodysSeller: () => error(404, 'seller_not_found'),
  },
  'sellers: refreshPayment': {
    reply: (shop) => ok(sellerBody(shop, { payment_requirements_due: [], revision: 2, next_steps: [] })),
    toNobodysSeller: () => error(404, 'seller_not_found'),
  },
};
