import { recordAudit } from '../../../shared/audit/audit-repository.ts';
import type { Needs } from '../../../shared/context.ts';
import type { Write } from '../../../shared/db/table.ts';
import { type Hold, ownHold } from '../../../shared/entitlements/holds.ts';
import type { AdditionFact, LicenseFacts } from '../../../shared/entitlements/license-facts.ts';
import { recordFacts } from '../../../shared/entitlements/license-facts-repository.ts';
import { newId } from '../../../shared/ids.ts';
import type { Addition } from '../../../shared/licenses/addition-repository.ts';
import { entitlementsOf, initialFacts } from '../../../shared/licenses/entitled-license.ts';
import type { License } from '../../../shared/licenses/license.ts';
import { licenseChangedEvents } from '../../../shared/licenses/license-events.ts';
import { recordLicenseChange } from '../../../shared/licenses/license-repository.ts';
import { issuanceMailId } from '../../../shared/mail/outbox/mail.ts';
import { type AdditionOrder, wasPaid } from '../../../shared/orders/order.ts';
import { recordEvent } from '../../../shared/seller-events/event-record-repository.ts';
import type { LicenseChangeCause } from '../../../shared/seller-events/seller-event.ts';
import { combine, type Effects, noEffects } from '../effects.ts';
import { addedMail, releaseMail } from '../mail-effects.ts';

async function completionMail(c: Needs<'table' | 'now'>, before: AdditionOrder, after: AdditionOrder) {
  if (!wasPaid(before)) return addedMail(c, { id: issuanceMailId, orderId: after.id });
  return ownHold(before) !== undefined && ownHold(after) === undefined ? releaseMail(c, before) : noEffects;
}

/** What is written and told when it begins or ceases to count. */
function flipped(
  c: Needs<'table' | 'now'>,
  { license, parent }: Omit<Addition, 'order'>,
  next: License,
  { id: orderId, kind, quantity, terms }: AdditionOrder,
  cause: LicenseChangeCause,
): Effects {
  const counts = cause === 'addition_paid' || cause === 'addition_restored';
  const { activationLimit, updatesUntil } = next;
  const notice = addedMail(c, {
    id: newId('mail', c.now()),
    orderId: parent.id,
    kind: counts ? 'addition_counts' : 'addition_ends',
    addition: { kind, quantity, updatesDays: terms.updatesDays, activationLimit, updatesUntil },
  });
  const record = recordAudit(c, {
    actor: 'provider',
    action: counts ? 'license.count_addition' : 'license.uncount_addition',
    targetId: license.id,
    before: termsIn(license),
    after: { orderId, ...termsIn(next) },
  });
  const events = licenseChangedEvents(next, cause).map((happening) => recordEvent(c, license.sellerId, happening));
  return { ...notice, writes: [...notice.writes, record, ...events] };
}

function licenseWrites(license: License, read: LicenseFacts, nextFacts: LicenseFacts, next: License): Write[] {
  const { activationLimit, updatesUntil } = next;
  const isSame = activationLimit === license.activationLimit && updatesUntil === license.updatesUntil;
  return [recordFacts(read, nextFacts), ...(isSame ? [] : [recordLicenseChange(license, { activationLimit, updatesUntil })])];
}

/**
 * Lets a paid addition count for its license while its payment is neither refunded in full nor disputed, whatever the license
 * may be used for. The payer is mailed a link once, the license's buyer of each time that it begins or ceases to count.
 */
export async function countAddition(
  c: Needs<'table' | 'now'>,
  addition: Omit<Addition, 'order'>,
  before: AdditionOrder,
  after: AdditionOrder,
): Promise<Effects> {
  const { paidAt } = after.checkout;
  if (paidAt === undefined) return noEffects;
  const { license, parent, facts: recorded } = addition;
  const mail = await completionMail(c, before, after);
  const read = recorded ?? initialFacts(license, parent);
  const known = read.additions[after.id];
  const hold = ownHold(after);
  const fact = factOf(after, paidAt, hold === undefined);
  // An addition that never counted is not among the facts, so it is reported as paid once it does.
  if (!fact.counts && !known) return mail;
  if (known?.counts === fact.counts && known.paidAt === fact.paidAt) return mail;

  const nextFacts = { ...read, additions: { ...read.additions, [after.id]: fact } };
  const next = { ...license, ...entitlementsOf(nextFacts) };
  const told = known?.counts === fact.counts ? noEffects : flipped(c, addition, next, after, causeOf(known, hold));
  return combine({ ...noEffects, writes: licenseWrites(license, read, nextFacts, next) }, mail, told);
}

const factOf = ({ kind, quantity, terms }: AdditionOrder, paidAt: string, counts: boolean): AdditionFact => ({
  kind,
  amount: kind === 'seats' ? quantity : quantity * terms.updatesDays,
  paidAt,
  counts,
});

function causeOf(known: AdditionFact | undefined, hold: Hold | undefined): LicenseChangeCause {
  if (hold !== undefined) return `addition_${hold}`;
  return known ? 'addition_restored' : 'addition_paid';
}

const termsIn = ({ activationLimit, updatesUntil }: License) => ({ activationLimit, ...(updatesUntil !== undefined && { updatesUntil }) });
