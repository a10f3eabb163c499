import type { AuditAction } from '../audit/audit.ts';
import { recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import type { Write } from '../db/table.ts';
import type { ProductFileRecord } from './product-file.ts';

const factsOf = ({ status, visibility, hashStatus, scanStatus, scanTrustSource, versionId }: ProductFileRecord) => ({
  status,
  visibility,
  hashStatus,
  scanStatus,
  scanTrustSource,
  ...(versionId !== undefined && { versionId }),
});

type FileAction = Extract<AuditAction, `product_file.${string}`>;

/** The audit record of what was done to a file; part of the transaction that does it. */
export function recordFileAudit(
  c: Needs<'now'>,
  entry: { actor: string; action: FileAction; before: ProductFileRecord; after: ProductFileRecord; note?: string | undefined },
): Write {
  const { actor, action, before, after, note } = entry;
  return recordAudit(c, {
    actor,
    action,
    targetId: before.id,
    before: factsOf(before),
    after: factsOf(after),
    note: note || undefined,
  });
}
