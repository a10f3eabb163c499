import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findEndpoints } from '../../infra/openapi/find-endpoints.ts';

/**
 * The documented statuses that no test of the run exercised, as `operationId status`.
 * 500 and 503, which any endpoint may answer, count once a function.
 */
export async function unexercisedStatuses(documentFile: string, recordFolder: string): Promise<string[]> {
  const record = globSync('*.txt', { cwd: recordFolder }).flatMap((file) => readFileSync(join(recordFolder, file), 'utf8').split('\n'));
  const exercised = new Set(record);
  const { paths }: { paths: Record<string, Record<string, { responses: object }>> } = JSON.parse(readFileSync(documentFile, 'utf8'));
  const endpoints = await findEndpoints();
  const missing: string[] = [];
  for (const { functionName, endpoint } of endpoints) {
    const { operationId, path, method } = endpoint;
    const others = endpoints.filter((other) => other.functionName === functionName).map((other) => other.endpoint.operationId);
    for (const status of Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {})) {
      const anywhere = status === '500' || status === '503' ? others : [operationId];
      if (!anywhere.some((id) => exercised.has(`${id} ${status}`))) missing.push(`${operationId} ${status}`);
    }
  }
  return missing.sort();
}
