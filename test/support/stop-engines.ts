import { unexercisedStatuses } from './exercised-statuses.ts';

/** What jest says of the run, as far as it matters here. */
interface Run {
  testPathPatterns: { patterns: readonly string[] };
  testNamePattern?: string;
  shard?: object;
  onlyChanged: boolean;
  onlyFailures: boolean;
}

export default async function stopEngines(run: Run): Promise<void> {
  await Promise.all(globalThis.engines.map((engine) => engine.stop()));
  if (isWhole(run) && process.env['DEMAND_ALL_STATUSES']) await demandAllStatuses();
}

const isWhole = ({ testPathPatterns, testNamePattern, shard, onlyChanged, onlyFailures }: Run) =>
  testPathPatterns.patterns.length === 0 && !testNamePattern && !shard && !onlyChanged && !onlyFailures;

/** A status that the description has and no test ever saw may be an invention. */
async function demandAllStatuses(): Promise<void> {
  const missing = await unexercisedStatuses(process.env['OPENAPI_DOCUMENT'] ?? '', process.env['CONFORMANCE_RECORD'] ?? '');
  if (missing.length > 0) throw new Error(`No test exercised these documented statuses:\n${missing.join('\n')}`);
}
