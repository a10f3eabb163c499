import type { AuditRepository } from '../../shared/audit/audit-repository.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Write } from '../../shared/db/table.ts';
import type { Logger } from '../../shared/logger.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import { scanned } from '../../shared/product-files/file-states.ts';
import type { ScanResult } from '../../shared/product-files/product-file.ts';
import type { ProductFileRepository } from '../../shared/product-files/product-file-repository.ts';

/** Records what an engine said of a file, in one transaction with `also`. A file that is gone changes nothing. */
export type RecordScan = (productId: string, fileId: string, result: ScanResult, also?: readonly Write[]) => Promise<void>;

/**
 * Results may repeat and come in any order. An approved file that is found infected is taken down
 * by the same write. Source: decisions.md §5 "Scanning".
 */
export function createRecordScan(dependencies: { files: ProductFileRepository; audit: AuditRepository; logger: Logger }): RecordScan {
  const { files, audit, logger } = dependencies;

  return async (productId, fileId, result, also = []) => {
    const takenDown = await retryOptimisticLock(async () => {
      const read = await files.findFile(productId, fileId);
      const next = read && scanned(read, result);
      const changes = read && next && next !== read ? [files.replaceFile(read, next), auditOf(read, next)] : [];
      const writes = [...also, ...changes];
      if (writes.length > 0) await files.commit(writes);
      return read?.status === 'approved' && next?.status === 'disabled';
    });
    logger.info('file_scanned', { fileId, engine: result.engine, verdict: result.verdict, scanError: result.error });
    // An alarm stands on this line.
    if (takenDown) logger.error('approved_file_infected', { productId, fileId, engine: result.engine });
  };

  function auditOf(before: Parameters<typeof recordFileAudit>[1]['before'], after: typeof before): Write {
    return recordFileAudit(audit, { actor: 'file-scanner', action: 'scan', before, after });
  }
}
