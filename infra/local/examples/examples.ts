import { type HttpReply, jsonReply } from '../http-reply.ts';
import { Anything, all, asAdmin, atProvider, type Caller, call, find, type Stack, UnexpectedReply } from './example-caller.ts';
import { type ExampleSeller, exampleSellers, lastSeller } from './example-data.ts';
import { draftProduct, makeProduct } from './make-product.ts';
import { SellerReply } from './replies.ts';

export type Examples = ReturnType<typeof createExamples>;

/**
 * Examples of everything, for a stack that has nothing to look at yet: sellers, products, files, releases and sales.
 * All is done through the public endpoints, in the name of those whose it is, and what buyers and sellers do at the
 * payment provider by its test controls. What was begun and not ended is gone on with; two at once make one set.
 */
export function createExamples(stack: { address: string; admin: Caller | undefined; paymentEndpoint: string | undefined }) {
  let underWay: Promise<unknown> = Promise.resolve();
  return {
    /** 201 when they are made by this call, 200 when they were there, 409 where they cannot be made. */
    make(): Promise<HttpReply> {
      const made = underWay.then(() => makeAll(stack));
      underWay = made.catch(() => undefined);
      return made;
    },
  };
}

async function makeAll({ address, admin, paymentEndpoint }: Parameters<typeof createExamples>[0]): Promise<HttpReply> {
  if (paymentEndpoint === undefined)
    return jsonReply({ message: 'The examples are sold through the fake payment provider, which is not in use.' }, 409);
  if (admin === undefined) return jsonReply({ message: 'ADMIN_ALLOWLIST names nobody who could review the examples.' }, 409);
  const at = { address, admin, paymentEndpoint };
  if (await find(at, SellerReply, lastSeller.owner, '/v1/sellers/me')) return jsonReply({});
  try {
    await all(exampleSellers.map((seller) => makeSeller(at, seller)));
    await makeSeller(at, lastSeller);
  } catch (error) {
    if (!(error instanceof UnexpectedReply && error.status === 409)) throw error;
    return jsonReply({ message: `What is there stands in the way of the examples: ${error.message}` }, 409);
  }
  return jsonReply({}, 201);
}

async function makeSeller(at: Stack, { owner, application, takesPayments, review, products }: ExampleSeller): Promise<void> {
  const known = await find(at, SellerReply, owner, '/v1/sellers/me');
  const seller = known ?? (await call(at, SellerReply, owner, 'POST', '/v1/sellers', application));
  if (takesPayments && !seller.payment_payouts_enabled) await setUpPayments(at, owner);
  // Before a review after which a seller may draft none.
  const drafts = await Promise.all(products.map((product) => draftProduct(at, owner, product)));
  if (review && seller.internal_review_status === 'pending_review') {
    await asAdmin(at, Anything, 'PATCH', `/v1/admin/sellers/${seller.id}/review`, review);
  }
  await all(products.flatMap((example, index) => (drafts[index] ? [makeProduct(at, owner, example, drafts[index])] : [])));
}

async function setUpPayments(at: Stack, owner: Caller): Promise<void> {
  await call(at, Anything, owner, 'POST', '/v1/sellers/payment/account-link');
  const { payment_connected_account_id: account } = await call(at, SellerReply, owner, 'GET', '/v1/sellers/me');
  await atProvider(at, `/test/accounts/${account}/onboarding`, { outcome: 'complete' });
  await call(at, Anything, owner, 'POST', '/v1/sellers/payment/refresh');
}
