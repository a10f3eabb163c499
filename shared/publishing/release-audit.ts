import type { AuditAction } from '../audit/audit.ts';
import { type AuditEntry, recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import type { Write } from '../db/table.ts';
import type { ReleaseRecord } from '../releases/release.ts';
import type { NewEvent } from '../seller-events/seller-event.ts';

interface ReleaseEntry extends Pick<AuditEntry, 'actor' | 'note'> {
  action: Extract<AuditAction, `release.${string}`>;
  before?: ReleaseRecord | undefined;
  after?: ReleaseRecord | undefined;
  reason?: string | undefined;
}

const factsOf = ({ version, status, revision, rolloutPercent }: ReleaseRecord) => ({
  version,
  status,
  revision,
  ...(rolloutPercent !== undefined && { rolloutPercent }),
});

/** The audit record of what was done to a release; part of the transaction that does it. */
export function recordReleaseAudit(c: Needs<'now'>, { before, after, reason, note, ...entry }: ReleaseEntry): Write[] {
  const release = after ?? before;
  if (!release) return [];
  const details = after && { after: { ...factsOf(after), ...(reason && { reason }) } };
  return [
    recordAudit(c, {
      ...entry,
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
