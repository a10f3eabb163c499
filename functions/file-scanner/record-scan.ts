import type { Needs } from '../../shared/context.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Write } from '../../shared/db/table.ts';
import { recordFileAudit } from '../../shared/product-files/file-audit.ts';
import { fileAfterScan } from '../../shared/product-files/file-states.ts';
import type { FileIds, ProductFileRecord, ScanResult } from '../../shared/product-files/product-file.ts';
import { findFile, replaceFile } from '../../shared/product-files/product-file-repository.ts';

/**
 * Records a scan result of a file, in one transaction with `also`. For a file that does not exist only `also` is written.
 * Results may repeat and come in any order. An approved file that is found infected is disabled
 * by the same write. See "Scan results" in shared/product-files/states.md.
 */
export async function recordScan(
  c: Needs<'table' | 'now' | 'logger'>,
  { productId, fileId }: FileIds,
  result: ScanResult,
  also: readonly Write[] = [],
): Promise<void> {
  const takenDown = await retryOptimisticLock(async () => {
    const read = await findFile(c.table, productId, fileId);
    const next = read && fileAfterScan(read, result);
    const changes = read && next && next !== read ? [...(await replaceFile(c.table, read, next)), auditOf(c, read, next)] : [];
    const writes = [...also, ...changes];
    if (writes.length > 0) await c.table.transact(writes);
    return read?.status === 'approved' && next?.status === 'disabled';
  });
  c.logger.info('file_scanned', { fileId, engine: result.engine, verdict: result.verdict, scanError: result.error });
  // An alarm counts this message.
  if (takenDown) c.logger.error('approved_file_infected', { productId, fileId, engine: result.engine });
}

function auditOf(c: Needs<'table' | 'now'>, before: ProductFileRecord, after: ProductFileRecord): Write {
  return recordFileAudit(c, { actor: 'file-scanner', action: 'product_file.scan', before, after });
}
