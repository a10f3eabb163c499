import { getCodeBatch } from './get-code-batch.ts';
import { getCodeStock } from './get-code-stock.ts';
import { importCodes } from './import-codes.ts';
import { listCodeBatches } from './list-code-batches.ts';

export const routes = [importCodes, listCodeBatches, getCodeBatch, getCodeStock];
