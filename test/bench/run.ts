/** Measures the runtime endpoints on the embedded engine, how functions start, and a large file's way; prints what it found. */
import { startTableEngine } from '../support/table-engine.ts';
import { measureFiles } from './files.ts';
import { compareLatencies } from './latencies.ts';
import { printTable } from './print-table.ts';
import { countRequests } from './requests.ts';
import { measureStartUps } from './start-up.ts';

const engine = await startTableEngine();
try {
  printTable('Requests to the table', await countRequests());
  printTable('Latency, one request at a time', await compareLatencies());
  printTable('Start of each function', await measureStartUps());
  printTable('A large file', await measureFiles());
} finally {
  await engine.stop();
}
