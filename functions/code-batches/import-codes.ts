import * as z from 'zod/mini';
import { CodeBatch } from '../../shared/code-batches/code-batch.ts';
import { acceptBatch } from '../../shared/code-batches/code-batch-service.ts';
import type { Needs } from '../../shared/context.ts';
import { fault } from '../../shared/faults/fault.ts';
import * as rules from '../../shared/faults/rules.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readMultipart, UploadedFile } from '../../shared/http/read-multipart.ts';
import { nonBlankText } from '../../shared/schemas.ts';

export const ImportCodesRequest = z.object({
  idempotencyKey: nonBlankText(255).check(z.refine((key) => !key.includes('\0'), fault(rules.holdsNul))),
  file: z
    .custom<UploadedFile>((value) => value instanceof UploadedFile, {
      error: ({ input }) => fault(input === undefined ? rules.missing : rules.notFilePart),
    })
    .register(z.globalRegistry, { type: 'string', format: 'binary' }),
});

export const importCodesRoute = endpoint({
  operationId: 'importCodes',
  method: 'POST',
  path: '/v1/products/{product_id}/code-batches',
  tag: 'Code batches',
  summary: 'Imports codes from a CSV file',
  description:
    'The file is checked whole before the reply: a header row with a column `code` or `license_key`, UTF-8, at most 50,000 rows and 4 MiB, cells separated by commas, semicolons or tabs. Codes have 8 to 128 printable ASCII characters; what a spreadsheet made of one (`9.78012E+15`, `#REF!`, `1-Jan-26`) is rejected with the reason `spreadsheet`. The import itself goes on afterwards; ask for the batch to see how far it is. Codes that the seller has in any product already, or that are license keys of this product, spelling aside, are counted as duplicates and not sold again.',
  audience: 'seller',
  tokenScopes: ['codes:write'],
  bodyKind: 'multipart',
  readParts: (request) => readMultipart(request, 'file'),
  body: ImportCodesRequest,
  success: { status: 202, body: CodeBatch },
  errors: [
    'invalid_csv',
    'too_many_rows',
    'product_not_found',
    'forbidden',
    'seller_not_eligible',
    'product_suspended',
    'wrong_issuance_mode',
    'idempotency_key_reused',
  ],
  handle: ({ identity, params, body }, c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS'>) =>
    acceptBatch(c, identity, params.productId, { idempotencyKey: body.idempotencyKey, file: body.file.pieces }),
});
