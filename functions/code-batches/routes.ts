import { getCodeBatchRoute } from './get-code-batch.ts';
import { getCodeStockRoute } from './get-code-stock.ts';
import { importCodesRoute } from './import-codes.ts';
import { listCodeBatchesRoute } from './list-code-batches.ts';

export const routes = [importCodesRoute, listCodeBatchesRoute, getCodeBatchRoute, getCodeStockRoute];
