import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../../../shared/audit/audit-repository.ts';
import type { Needs } from '../../../shared/context.ts';
import { effectiveHold, passedOn } from '../../../shared/entitlements/holds.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { licenseStatusEvents } from '../../../shared/licenses/license-events.ts';
import { getLicense, recordLicenseHold } from '../../../shared/licenses/license-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { recordEvent } from '../../../shared/seller-events/event-record-repository.ts';
import { combine, type Effects, noEffects } from '../effects.ts';
import { releaseMail } from '../mail-effects.ts';

/**
 * Holds the license of an order whose payment, or an order before it, stops it now, or lifts the hold, which also releases the
 * mail that was withheld meanwhile. Jobs let the order's upgrades follow, also where only the order that holds them is another.
 */
export async function holdLicense(c: Needs<'table' | 'now'>, before: Order, after: Order): Promise<Effects> {
  if (!before.licenseId || isDeepStrictEqual(passedOn(before), passedOn(after))) return noEffects;
  const follow = (before.upgrades ?? []).map(({ orderId }): JobTask => ({ kind: 'follow-hold', orderId }));
  const follows = { ...noEffects, jobs: follow, writes: follow.map((task) => addJob(c, task)) };
  const hold = effectiveHold(after);
  if (hold === effectiveHold(before)) return follows;
  const license = await getLicense(c.table, before.licenseId);
  const mail = hold === undefined ? await releaseMail(c, before) : noEffects;
  const record = recordAudit(c, {
    actor: 'provider',
    action: hold === undefined ? 'license.lift_hold' : 'license.hold',
    targetId: license.id,
    before: { paymentHold: license.paymentHold ?? 'none' },
    after: { paymentHold: hold ?? 'none' },
  });
  const events = licenseStatusEvents(license, { ...license, paymentHold: hold }, c.now()).map((happening) =>
    recordEvent(c, before.sellerId, happening),
  );
  return combine({ ...noEffects, writes: [recordLicenseHold(license, hold), record, ...events] }, mail, follows);
}
