import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import type { Logger } from '../../shared/logger.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import { scanned } from '../../shared/product-files/file-states.ts';
import type { FileIds, ProductFileRecord, ScanResult } from '../../shared/product-files/product-file.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';

/** Records a scan result of a file, in one transaction with `also`. For a file that does not exist only `also` is written. */
export type RecordScan = (file: FileIds, result: ScanResult, also?: readonly Write[]) => Promise<void>;

/**
 * Results may repeat and come in any order. An approved file that is found infected is disabled
 * by the same write. See "Scan results" in shared/product-files/README.md.
 */
export function createRecordScan(options: { table: Table; logger: Logger; now?: (() => Date) | undefined }): RecordScan {
  const { table, logger, now } = options;
  const files = createProductFileRepository({ table });
  const audit = createAuditRepository({ table, now });

  return async ({ productId, fileId }, result, also = []) => {
    const takenDown = await retryOptimisticLock(async () => {
      const read = await files.findFile(productId, fileId);
      const next = read && scanned(read, result);
      const changes = read && next && next !== read ? [...(await files.replaceFile(read, next)), auditOf(read, next)] : [];
      const writes = [...also, ...changes];
      if (writes.length > 0) await table.transact(writes);
      return read?.status === 'approved' && next?.status === 'disabled';
    });
    logger.info('file_scanned', { fileId, engine: result.engine, verdict: result.verdict, scanError: result.error });
    // An alarm counts this message.
    if (takenDown) logger.error('approved_file_infected', { productId, fileId, engine: result.engine });
  };

  function auditOf(before: ProductFileRecord, after: ProductFileRecord): Write {
    return recordFileAudit(audit, { actor: 'file-scanner', action: 'product_file.scan', before, after });
  }
}
