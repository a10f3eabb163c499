import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Order } from '../../shared/orders/order.ts';
import { tries } from '../support/depth.ts';
import { refundEvent, sessionEvent } from '../support/samples/provider-events.ts';
import { createRedemptionScene, type RedemptionScene } from '../support/scenes/products/redemption-scene.ts';
import { type StubProvider, startStubProvider } from '../support/scenes/stub-provider.ts';

let provider: StubProvider;
let scene: RedemptionScene;

beforeAll(async () => {
  provider = await startStubProvider();
  scene = await createRedemptionScene({ provider });
});
afterAll(() => provider.stop());

/** What the reference knows of a cart: what it holds, and whether its session can be paid at the provider. */
interface Cart {
  order: Order;
  state: 'reserved' | 'returned' | 'redeemed';
  session: 'open' | 'expired' | 'complete';
  /** A payment that no event told of yet. */
  isUntold: boolean;
}

const acts = ['open', 'pay', 'pay in silence', 'tell', 'expire', 'lose', 'refund', 'repeat', 'wait'] as const;

test('whatever becomes of carts and their events, no more are paid than the limit allows, unless a payment is late', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.tuple(fc.constantFrom(...acts), fc.nat()), { minLength: 5, maxLength: 20 }),
      async (limit, steps) => {
        const { openCart, counts } = await scene.addDiscount(limit);
        const carts: Cart[] = [];
        let wasLate = false;
        const of = (state: Cart['state']) => carts.filter((cart) => cart.state === state).length;
        const deliver = (cart: Cart, type: 'completed' | 'expired') =>
          scene.happen({ ...sessionEvent(cart.order, type), id: `evt_${cart.order.id}_${type}` });
        const hearPayment = async (cart: Cart) => {
          wasLate ||= cart.state === 'returned';
          cart.isUntold = false;
          cart.state = 'redeemed';
          await deliver(cart, 'completed');
        };

        async function act(what: (typeof acts)[number], dice: number): Promise<void> {
          if (what === 'open') {
            const hasRoom = of('reserved') + of('redeemed') < limit;
            const outcome = await openCart().catch(({ code }) => String(code));
            expect(typeof outcome === 'string' ? outcome : 'opened').toBe(hasRoom ? 'opened' : 'discount_not_valid');
            if (typeof outcome === 'string') return;
            carts.push({ order: outcome, state: 'reserved', session: 'open', isUntold: false });
            scene.setSession(outcome, 'open');
            return;
          }
          if (what === 'wait') {
            // Carts of which nothing was heard are asked about; a paid one keeps what it holds.
            scene.pass(45);
            for (const cart of carts) {
              if (cart.session !== 'open') continue;
              cart.session = 'expired';
              scene.setSession(cart.order, 'expired');
            }
            await scene.sweep();
            for (const cart of carts) {
              if (cart.state === 'reserved' && cart.session === 'expired') cart.state = 'returned';
            }
            return;
          }
          const cart = carts[dice % Math.max(1, carts.length)];
          if (!cart) return;
          const isOpen = cart.session === 'open';
          if (what === 'pay' && isOpen) {
            cart.session = 'complete';
            scene.setSession(cart.order, 'complete');
            await hearPayment(cart);
          } else if (what === 'pay in silence' && isOpen) {
            cart.session = 'complete';
            cart.isUntold = true;
            scene.setSession(cart.order, 'complete');
          } else if (what === 'tell' && cart.isUntold) await hearPayment(cart);
          else if (what === 'expire' && isOpen) {
            cart.session = 'expired';
            scene.setSession(cart.order, 'expired');
            if (cart.state === 'reserved') cart.state = 'returned';
            await deliver(cart, 'expired');
          } else if (what === 'lose' && isOpen) {
            cart.session = 'expired';
            scene.setSession(cart.order, 'expired');
          } else if (what === 'refund' && cart.state === 'redeemed') await scene.happen(refundEvent(cart.order, 1200));
          else if (what === 'repeat' && cart.session === 'expired') {
            // An end that comes late, or a second time; and a payment that the provider took after all.
            if (dice % 3 === 0) await hearPayment(cart);
            else {
              if (cart.state === 'reserved') cart.state = 'returned';
              await deliver(cart, 'expired');
            }
          }
        }

        for (const [what, dice] of steps) {
          await act(what, dice);
          const { taken, redeemed } = await counts();
          expect({ what, taken, redeemed }).toEqual({ what, taken: of('reserved') + of('redeemed'), redeemed: of('redeemed') });
          if (!wasLate) expect(taken).toBeLessThanOrEqual(limit);
        }
      },
    ),
    { numRuns: tries(40) },
  );
}, 300_000);
