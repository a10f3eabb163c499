import type { Engine } from '../../../infra/local/engines/engine.ts';
import { describeInterface } from '../interface/describe-interface.ts';
import { startTableEngine } from './table-engine.ts';

declare global {
  var engines: Engine[];
}

/** One DynamoDB engine for all tests of a run; each test makes its own table in it, from the deployed template. */
export default async function startEngines(): Promise<void> {
  globalThis.engines = [await startTableEngine()];
  await describeInterface();
}
