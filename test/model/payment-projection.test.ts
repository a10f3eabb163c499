import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listAudit } from '../../shared/audit/audit-repository.ts';
import { activateLicense } from '../../shared/licenses/activate-license.ts';
import { deactivateLicense } from '../../shared/licenses/deactivate-license.ts';
import { listDevices } from '../../shared/licenses/license-repository.ts';
import { revokeLicense } from '../../shared/licenses/license-service.ts';
import { openLicenseKey } from '../../shared/licenses/new-license.ts';
import { validateLicense } from '../../shared/licenses/validate-license.ts';
import type { Order } from '../../shared/orders/order.ts';
import { tries } from '../support/depth.ts';
import { issueLease, issueUpdateFeed } from '../support/samples/leases.ts';
import { declineEvent, disputeEvent, refundEvent, sessionEvent } from '../support/samples/provider-events.ts';
import { createProjectionHarness } from '../support/scenes/projection-harness.ts';

/** What may happen to one purchase. The provider repeats and reorders events, and people use the license meanwhile. */
const happenings = {
  completed: (order: Order) => sessionEvent(order, 'completed'),
  'partly refunded': (order: Order) => refundEvent(order, 400),
  'wholly refunded': (order: Order) => refundEvent(order, 1200),
  'dispute opened': (order: Order) => disputeEvent(order, 'created', 'needs_response'),
  'dispute won': (order: Order) => disputeEvent(order, 'closed', 'won'),
  'other dispute lost': (order: Order) => disputeEvent(order, 'closed', 'lost', { id: `du_other_${order.id}` }),
  inquiry: (order: Order) => disputeEvent(order, 'created', 'warning_needs_response', { id: `du_inquiry_${order.id}` }),
  declined: (order: Order) => declineEvent(order),
  expired: (order: Order) => sessionEvent(order, 'expired'),
} as const;
type Happening = keyof typeof happenings;
const names = Object.keys(happenings) as Happening[];
const people = ['revoke', 'activate', 'deactivate', 'validate'] as const;
type Act = Happening | (typeof people)[number];

/** The reference: derives status and hold from the set of what happened. */
function reference(told: ReadonlySet<Act>) {
  const refunded = told.has('wholly refunded');
  const disputed = told.has('other dispute lost') || (told.has('dispute opened') && !told.has('dispute won'));
  const hold = refunded ? 'refunded' : disputed ? 'disputed' : undefined;
  if (!told.has('completed')) {
    return { status: told.has('expired') ? 'expired' : told.has('declined') ? 'payment_failed' : 'pending', hold: undefined };
  }
  return { status: hold ?? (told.has('partly refunded') ? 'partially_refunded' : 'paid'), hold };
}

test('any order, repeats and other people meanwhile: the state is that of the set of what happened', async () => {
  const harness = await createProjectionHarness();
  const { table } = harness;
  const c = { ...harness, issueLease, issueUpdateFeed, limitInMemory: async () => undefined };

  async function act(order: Order, what: Act, device: string): Promise<void> {
    if (what in happenings) {
      const event = happenings[what as Happening](order);
      await harness.deliver({ ...event, id: `evt_${order.id}_${names.indexOf(what as Happening)}` });
      return;
    }
    const { license } = await harness.show(order.id);
    if (!license) return;
    if (what === 'revoke') {
      await revokeLicense(c, 'admin', license.id);
      return;
    }
    const request = { productId: order.productId, licenseKey: openLicenseKey(license, harness.encryptionKeys), deviceFingerprint: device };
    const answers = { activate: activateLicense, deactivate: deactivateLicense, validate: validateLicense };
    await answers[what as keyof typeof answers](c, request).catch((error: unknown) =>
      expect(error).toMatchObject({ code: 'activation_limit_exceeded' }),
    );
  }

  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 6 }),
      fc.array(fc.constantFrom(...people), { maxLength: 5 }),
      fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
      fc.boolean(),
      async (told, others, dice, atOnce) => {
        const repeated = told.flatMap((name, index) => Array.from({ length: 1 + ((dice[index] ?? 0) % 3) }, () => name as Act));
        const acts = [...repeated, ...others].map((what, index) => ({ what, rank: dice[index] ?? index })).sort((a, b) => a.rank - b.rank);
        const order = await harness.addOrder();
        const happened = new Set<Act>();
        if (atOnce) {
          await Promise.all(acts.map(({ what }, index) => act(order, what, `device-${index % 3}`)));
          for (const name of told) happened.add(name);
          // A job that lost every race was postponed: run it now.
          for (const name of told) await harness.project(harness.queue.take()).then(() => act(order, name, ''));
        }
        for (const [index, { what }] of atOnce ? [] : acts.entries()) {
          await act(order, what, `device-${index % 3}`);
          happened.add(what);
          const { order: shown, license } = await harness.show(order.id);
          const expected = reference(happened);
          expect(shown.status).toBe(expected.status);
          // The license is on hold at every moment at which the facts demand it.
          expect(license?.paymentHold).toBe(license && expected.hold);
        }
        const { order: last, license } = await harness.show(order.id);
        expect(last.status).toBe(reference(happened).status);
        expect(license !== undefined).toBe(happened.has('completed'));
        if (!license) return;
        expect(license.paymentHold).toBe(reference(happened).hold);
        const { items } = await listDevices(table, license, { limit: 100 });
        expect(items.filter((device) => device.deactivatedAt === undefined)).toHaveLength(license.activationCount);
        const { items: records } = await listAudit(table, { targetId: license.id, limit: 100 });
        expect(records.filter((record) => record.action === 'license.issue')).toHaveLength(1);
      },
    ),
    { numRuns: tries(300) },
  );
}, 300_000);
