import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleFunctions, bundleOptions, discardBundles, startFile } from '../../../infra/bundles/bundle-functions.ts';
import { findFunctions } from '../../../infra/bundles/find-functions.ts';
import { openLocalSettings } from '../../../infra/local/local-settings.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { issueTestLicense } from '../../support/samples/licenses.ts';

type BaselineName = 'leanest' | 'customary';
/** As a build of functions usually is. */
const customaryOptions: BuildOptions = { bundle: true, platform: 'node', target: 'node24', format: 'cjs', minify: true, logLevel: 'error' };

/** The deployed bundle of `licenses`, and baselines as bundles: the files that export their handlers. */
export async function bundleLicenses() {
  const definitions = (await findFunctions()).filter(({ name }) => name === 'licenses');
  const bundles = await bundleFunctions(definitions);
  const outdir = mkdtempSync(join(tmpdir(), 'baselines-'));
  writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}');
  const bundleBaseline = async (name: BaselineName, options: BuildOptions, file: string) => {
    const entryPoints = [join(import.meta.dirname, 'baselines', `${name}.ts`)];
    await build({ ...options, entryPoints, outfile: join(outdir, file) });
    return join(outdir, file);
  };
  const [bundle] = bundles.values();
  if (!bundle) throw new Error('licenses was not bundled.');
  return {
    bytes: bundle.bytes,
    deployed: join(bundle.folder, startFile),
    leanest: await bundleBaseline('leanest', bundleOptions, 'leanest.js'),
    customary: await bundleBaseline('customary', customaryOptions, 'customary.js'),
    customaryAlike: await bundleBaseline('customary', bundleOptions, 'customary-alike.js'),
    settingNames: definitions.flatMap(({ settingNames }) => settingNames),
    discard() {
      discardBundles(bundles);
      rmSync(outdir, { recursive: true, force: true });
    },
  };
}

/** A table with two licenses of one product, one of which gives leases, and the environment that bundles find it by. */
export async function createLicenseTable(settingNames: readonly string[]) {
  const engine = await createTestTable();
  const settings = openLocalSettings({ directory: undefined, publicBaseUrl: 'http://127.0.0.1:3000', env: {} });
  const own: Record<string, string> = { TABLE_NAME: engine.tableName, RATE_LIMIT_UNKNOWN_KEYS: '0', RATE_LIMIT_UPDATES: '0' };
  const environment: Record<string, string> = Object.fromEntries(settingNames.map((name) => [name, own[name] ?? settings.valueOf(name)]));
  const peppers = Keyring.parse(environment['LICENSE_PEPPERS'] ?? '');
  const leased = await issueTestLicense(engine.table, { peppers });
  const leaseless = await issueTestLicense(engine.table, { peppers, productId: leased.license.productId, offlineDays: 0 });
  return { ...engine, environment, peppers, productId: leased.license.productId, leased: leased.key, leaseless: leaseless.key };
}
