/** Measures the runtime endpoints on the embedded engine, and prints what it found. */
import startEngines from '../support/start-engines.ts';
import stopEngines from '../support/stop-engines.ts';
import { compareLatencies } from './latencies.ts';
import { printTable } from './print-table.ts';
import { countRequests } from './requests.ts';

await startEngines();
try {
  printTable('Requests to the table', await countRequests());
  printTable('Latency, one request at a time', await compareLatencies());
} finally {
  await stopEngines();
}
