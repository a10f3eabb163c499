import type { AuditAction } from '../audit/audit.ts';
import { recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import type { Write } from '../db/table.ts';
import type { ReleaseRecord } from '../releases/release.ts';
import type { NewEvent } from '../seller-events/seller-event.ts';

type ReleaseAction = Extract<AuditAction, `release.${string}`>;

const factsOf = ({ version, status, revision, rolloutPercent }: ReleaseRecord) => ({
  version,
  status,
  revision,
  ...(rolloutPercent !== undefined && { rolloutPercent }),
});

/** The audit record of what was done to a release; part of the transaction that does it. */
export function recordReleaseAudit(
  c: Needs<'now'>,
  entry: {
    actor: string;
    action: ReleaseAction;
    before?: ReleaseRecord | undefined;
    after?: ReleaseRecord | undefined;
    reason?: string | undefined;
    note?: string | undefined;
  },
): Write[] {
  const { actor, action, before, after, reason, note } = entry;
  const release = after ?? before;
  if (!release) return [];
  const details = after && { after: { ...factsOf(after), ...(reason && { reason }) } };
  return [
    recordAudit(c, {
      actor,
      action,
      targetId: release.id,
      ...(before && { before: factsOf(before) }),
      ...details,
      note: note || undefined,
    }),
  ];
}

/** What sellers' systems are told of a release. */
export function releaseEvent(
  type: Extract<NewEvent['type'], `release.${string}`>,
  { id: releaseId, productId, version, channel, status }: ReleaseRecord,
): NewEvent {
  return { type, data: { releaseId, productId, version, channel, status } };
}
