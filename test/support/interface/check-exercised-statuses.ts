import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseArguments, runCommand } from '../../../infra/commands/command-line.ts';
import { createOpenApiDocument } from '../../../infra/documents/openapi/document.ts';
import { findEndpoints } from '../../../infra/documents/openapi/find-endpoints.ts';
import { isRecord } from '../../../infra/documents/openapi/json-schema.ts';

const usage = `Usage: npm run test:statuses
  Fails when a documented status was exercised by no test of the runs that noted theirs in
  the folder CONFORMANCE_RECORD.`;

/**
 * A status that nobody ever saw may be an invention. A property's random requests meet what
 * chance leads to, and expect none of it by name, so they do not count; nor do the made-up
 * replies of the test of this check. 500 and 503, which any endpoint may answer, count once a function.
 */
const countsHere = (file = '') => !file.startsWith('test/model/') && file !== 'test/contract/conformance.test.ts';

await runCommand(usage, async (args) => {
  refuseArguments(args);
  const missing = await findMissing(process.env['CONFORMANCE_RECORD'] ?? '');
  if (missing.length > 0) throw new Error(`No test exercised these documented statuses:\n${missing.sort().join('\n')}`);
});

async function findMissing(folder: string): Promise<string[]> {
  const record = globSync('*.txt', { cwd: folder }).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  const entries = record.filter(Boolean).map((line) => line.split('\t'));
  const exercised = new Set(entries.filter(([, file]) => countsHere(file)).map(([status]) => status));
  const byChance = new Map(entries.filter(([, file]) => !countsHere(file)).map(([status, file]) => [status, file]));
  const [document, endpoints] = await Promise.all([createOpenApiDocument(), findEndpoints()]);

  return endpoints.flatMap(({ functionName, endpoint: { operationId, path, method } }) => {
    const sameFunction = endpoints.filter((other) => other.functionName === functionName).map((other) => other.endpoint.operationId);
    const isExercised = (status: string) => {
      const anywhere = status === '500' || status === '503' ? sameFunction : [operationId];
      return anywhere.some((id) => exercised.has(`${id} ${status}`));
    };
    return statusesOf(document, path, method)
      .filter((status) => !isExercised(status))
      .map((status) => `${operationId} ${status}`)
      .map((missed) => (byChance.has(missed) ? `${missed} (met by chance in ${byChance.get(missed)})` : missed));
  });
}

function statusesOf(document: unknown, path: string, method: string): string[] {
  const steps = ['paths', path, method.toLowerCase(), 'responses'];
  const responses = steps.reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), document);
  return Object.keys(isRecord(responses) ? responses : {});
}
