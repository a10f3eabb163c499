import { createAuditRepository } from '../../../shared/audit/audit-repository.ts';
import type { Table } from '../../../shared/db/table.ts';
import { effectiveHoldOf } from '../../../shared/entitlements/holds.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { createJobRepository } from '../../../shared/jobs/job-repository.ts';
import { licenseStatusChange } from '../../../shared/licenses/license-events.ts';
import { createLicenseRepository } from '../../../shared/licenses/license-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createRecordEvent } from '../../../shared/seller-events/event-record-repository.ts';
import { type LicenseOutcome, noOutcome } from '../issue-license.ts';
import { createReleaseMail } from '../release-mail.ts';

/**
 * Holds the license of an order whose payment, or an order before it, stops it now, or lifts the hold, which also releases the
 * mail that was withheld meanwhile. Jobs let the order's upgrades follow. Nothing, where the hold is as it was.
 */
export type HoldLicense = (before: Order, after: Order) => Promise<LicenseOutcome>;

export function createHoldLicense({ table, now }: { table: Table; now: () => Date }): HoldLicense {
  const licenses = createLicenseRepository({ table });
  const jobs = createJobRepository({ table, now });
  const audit = createAuditRepository({ table, now });
  const recordEvent = createRecordEvent({ now });
  const releaseMail = createReleaseMail({ table, now });

  return async (before, after) => {
    const hold = effectiveHoldOf(after);
    if (!before.licenseId || hold === effectiveHoldOf(before)) return noOutcome;
    const license = await licenses.getLicense(before.licenseId);
    const mail = hold === undefined ? await releaseMail(before) : noOutcome;
    const follow = (before.upgrades ?? []).map(({ orderId }): JobTask => ({ kind: 'follow-hold', orderId }));
    return {
      order: {},
      jobs: [...mail.jobs, ...follow],
      writes: [
        ...mail.writes,
        licenses.holdLicense(license, hold),
        audit.recordAudit({
          actor: 'provider',
          action: hold === undefined ? 'license.lift_hold' : 'license.hold',
          targetId: license.id,
          before: { paymentHold: license.paymentHold ?? 'none' },
          after: { paymentHold: hold ?? 'none' },
        }),
        ...follow.map((task) => jobs.addJob(task)),
        ...licenseStatusChange(license, { ...license, paymentHold: hold }, now()).map((happening) =>
          recordEvent(before.sellerId, happening),
        ),
      ],
    };
  };
}
