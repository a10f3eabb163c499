import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { routes as licenseRoutes } from '../../functions/licenses/routes.ts';
import { bundleFunctions, discardBundles, startFile } from '../../infra/bundles/bundle-functions.ts';
import { findFunctions } from '../../infra/bundles/find-functions.ts';
import { httpEvent } from '../support/http/http-event.ts';
import { createLicenseTable } from './licenses/bundles.ts';
import { type Handler, measureInTurns } from './licenses/in-turns.ts';

type LicenseTable = Awaited<ReturnType<typeof createLicenseTable>>;

/** A warm call of the deployed bundle of a function, beside a warm validate; `prepare` fills the table and says what is called. */
export async function measureBesideValidate(
  functionName: string,
  target: { p50?: number; cpu: number },
  prepare: (table: LicenseTable) => Promise<APIGatewayProxyEventV2>,
): Promise<Record<string, string | number>[]> {
  const definitions = (await findFunctions()).filter(({ name }) => ['licenses', functionName].includes(name));
  const bundles = await bundleFunctions(definitions);
  const table = await createLicenseTable(definitions.flatMap(({ settingNames }) => settingNames));
  const load = async (name: string): Promise<Handler> => {
    const folder = bundles.get(name)?.folder ?? '';
    Object.assign(process.env, table.environment, { LAMBDA_TASK_ROOT: folder, MAIL_QUEUE_URL: 'http://127.0.0.1:9/000000000000/mail' });
    return (await import(pathToFileURL(join(folder, startFile)).href)).handler;
  };
  const validate = { product_id: table.productId, license_key: table.leaseless };
  const called = {
    own: [await load(functionName), await prepare(table)],
    validate: [await load('licenses'), httpEvent(licenseRoutes, 'POST', '/v1/licenses/validate', { body: validate })],
  } as const;
  for (const [name, [handler, event]] of Object.entries(called)) {
    const { statusCode } = await handler(event, {});
    if (statusCode !== 200) throw new Error(`${name} answers ${statusCode}.`);
  }
  const rows = [];
  await measureInTurns(called, 1);
  for (const inFlight of [1, 16]) {
    const { own, validate } = await measureInTurns(called, inFlight);
    const ratio = (name: keyof typeof own) => (own[name] / validate[name]).toFixed(2);
    rows.push({
      'in flight': inFlight,
      'p50 ms': own.p50.toFixed(2),
      'p50, of a validate': ratio('p50'),
      ...(target.p50 !== undefined && { 'at most': target.p50 }),
      'CPU, of a validate': ratio('cpu'),
      'at most ': target.cpu,
    });
  }
  discardBundles(bundles);
  return rows;
}
