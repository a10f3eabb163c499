import { expect, test } from '@jest/globals';
import { mapInBatches } from '../../../shared/db/map-in-batches.ts';
import { conformingFetch } from '../../support/interface/conformance.ts';
import { eventually } from '../../support/scenes/stack-harness.ts';
import { anyone, codeOf, seller, stack } from './desk.ts';

/** What holds for all that sellers ask, whichever function answers. */
export function describeSellers(productId: () => string): void {
  test('an approved seller has more writes than everybody, of every function', async () => {
    // Of 300 a minute everybody has 50, of which one comes back in a good second.
    for (const [path, count, code] of [
      ['products/none/code-batches', 75, 'unsupported_media_type'],
      ['products/none/publish', 5, 'invalid_json'],
      ['products/none/discounts/none/end', 5, 'product_not_found'],
      ['products/none/files/none/withdraw', 5, 'product_not_found'],
      ['products/none/releases/none/publish', 5, 'product_not_found'],
      ['products/none/test-keys', 5, 'product_not_found'],
      ['orders/none/resend-link', 5, 'order_not_found'],
      ['webhook-endpoints/none/delete', 5, 'endpoint_not_found'],
      ['api-tokens/none/revoke', 5, 'token_not_found'],
      ['sellers/payment/refresh', 5, 'none'],
    ] as const) {
      // Of many at once some would find that another was sooner, time and again, and be refused for that.
      const codes = await mapInBatches(Array(count).fill(path), 4, () => codeOf(seller('POST', `/v1/${path}`)));
      expect([path, new Set(codes)]).toEqual([path, new Set([code])]);
    }
  });

  test('every function of sellers knows an API token, and a seller is mailed of a new one', async () => {
    const request = { name: 'CI', scopes: ['releases:read'], product_ids: [productId()], expires_in_days: 1 };
    for (const [path, status] of [
      [`products/${productId()}/files`, 200],
      [`products/${productId()}`, 403],
      [`products/${productId()}/code-batches`, 403],
      [`products/${productId()}/test-keys`, 403],
      [`products/${productId()}/discounts`, 403],
      ['sellers/me', 403],
      ['orders', 403],
      ['webhook-endpoints', 403],
      ['api-tokens', 403],
    ] as const) {
      const { id, token } = await seller('POST', '/v1/api-tokens', request);
      const reply = await conformingFetch(`${stack.baseUrl}/v1/${path}`, { headers: { Authorization: `Bearer ${token}` } });
      expect([path, reply.status]).toEqual([path, status]);
      const { items } = await seller('GET', '/v1/api-tokens');
      expect(items[0]).toMatchObject({ id, last_used_at: expect.any(String) });
      await seller('POST', `/v1/api-tokens/${id}/revoke`);
    }
    await eventually('the seller is mailed', 30, async () => {
      const { items } = await anyone('GET', '/__local/outbox');
      return items.some(
        ({ to, text }: { to: string; text: string }) => to === 'seller@example.com' && text.includes('An API token was made'),
      );
    });
  });
}
