import { describe, expect, test } from '@jest/globals';
import { sell } from '../../support/scenes/sold-stock.ts';
import { eventually, offerProduct } from '../../support/scenes/stack-harness.ts';
import { admin, seller, stack } from './desk.ts';

const draft = {
  name: 'Sketchbook',
  description: 'Draws.',
  price_amount: 5500,
  currency: 'JPY',
  support_email: 'a@b.example',
  refund_policy: 'None.',
  software_operating_environment: 'Linux',
};

/** What a product can be upgraded from, and what is stated of tax, with the roles of the functions that do it. */
export function describeSellingTerms(): void {
  describe('what is sold', () => {
    test('upgrades what its live terms name, as a draft and by reviews', async () => {
      const [first, second] = [
        await seller('POST', '/v1/products', draft),
        await seller('POST', '/v1/products', { ...draft, name: 'Pad' }),
      ];
      const from = (...ids: string[]) => ({ upgrades_from: ids.map((product_id) => ({ product_id, price_amount: 700 })) });
      const { id } = await offerProduct(stack, { ...draft, name: 'Studio', ...from(first.id) });
      const edit = (fields: object) => seller('PATCH', `/v1/products/${id}`, { ...draft, name: 'Studio', ...fields });
      expect((await edit(from(second.id))).pending.changes).toMatchObject(from(second.id));
      await seller('POST', `/v1/products/${id}/submit-review`);
      const reviewed = await admin('PATCH', `/v1/admin/products/${id}/review`, { decision: 'approve' });
      expect(reviewed).toMatchObject(from(second.id));
      await seller('POST', `/v1/products/${id}/publish`, { publish: false });
      expect(await edit(from(first.id))).toMatchObject({ status: 'draft', ...from(first.id) });
    });

    test('by a seller with a number has an invoice, which states what was given back', async () => {
      await seller('PATCH', '/v1/sellers/me', { invoice_registration_number: 'T1234567890123' });
      const product = await offerProduct(stack, { ...draft, name: 'Crayon', tax_percent: 8 });
      const { orderId, session } = await sell(stack, product.slug);
      await seller('PATCH', '/v1/sellers/me', { invoice_registration_number: '' });
      await stack.provider(`/test/payments/${session}/refund`, { amount: 1080 });
      const invoice = await eventually('the invoice states the refund', 60, async () => {
        const shown = await seller('GET', `/v1/orders/${orderId}`);
        return shown.invoice?.refunds ? shown.invoice : undefined;
      });
      expect(invoice).toMatchObject({ registration_number: 'T1234567890123', tax_percent: 8, tax_amount: 407 });
      expect(invoice.refunds).toMatchObject([{ amount: 1080, tax_amount: 80 }]);
    });
  });
}
