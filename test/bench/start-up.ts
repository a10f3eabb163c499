import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openLocalSettings } from '../../infra/local/local-settings.ts';
import { bundledFunctions, byteBudgetOf } from '../support/bundles.ts';

const runs = 5;
const load = 'const start = performance.now(); require(process.argv[1]); console.log(performance.now() - start); process.exit()';

/** What each function weighs, and how long its module takes to load: the median of a few processes of their own. */
export async function measureStartUps() {
  const settingOf = openLocalSettings({ directory: undefined, publicBaseUrl: 'http://127.0.0.1:3000', env: {} }).valueOf;
  const made = (name: string) =>
    name === 'TABLE_NAME'
      ? 'table'
      : name === 'MAIL_CONFIGURATION_SET'
        ? 'set'
        : name.endsWith('_QUEUE_URL')
          ? 'http://127.0.0.1:9/0/queue'
          : settingOf(name);
  const rows = [];
  for (const { definition, bundle } of await bundledFunctions()) {
    const env = { AWS_REGION: 'us-east-1', ...Object.fromEntries(definition.settingNames.map((name) => [name, made(name)])) };
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', load, join(bundle.folder, 'index.js')], { env });
      times.push(Number(stdout));
    }
    const median = times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
    const { name } = definition;
    rows.push({ function: name, 'bundle, bytes': bundle.bytes, budget: byteBudgetOf(name), 'module load, ms': Math.round(median) });
  }
  return rows.sort((a, b) => b['bundle, bytes'] - a['bundle, bytes']);
}
