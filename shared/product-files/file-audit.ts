import type { AuditAction } from '../audit/audit.ts';
import { type AuditEntry, recordAudit } from '../audit/audit-repository.ts';
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

type FileEntry = Pick<AuditEntry, 'actor' | 'note'> & { action: Extract<AuditAction, `product_file.${string}`> };

/** The audit record of what was done to a file; part of the transaction that does it. */
export const recordFileAudit = (
  c: Needs<'now'>,
  { before, after, note, ...entry }: FileEntry & { before: ProductFileRecord; after: ProductFileRecord },
): Write => recordAudit(c, { ...entry, targetId: before.id, before: factsOf(before), after: factsOf(after), note: note || undefined });
