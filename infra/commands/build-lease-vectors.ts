import { writeFileSync } from 'node:fs';
import { refuseArguments, runCommand } from './command-line.ts';
import { leaseVectors } from './lease-vectors/vectors.ts';

const usage = `Usage: npm run vectors
  Writes infra/documents/clients/lease-vectors.json: good and bad leases with the verdict of each.
  Run it after a change here. Its keys stay; its signatures are others each time.`;

await runCommand(usage, async (args) => {
  refuseArguments(args);
  const text = JSON.stringify(leaseVectors, undefined, 1);
  writeFileSync(new URL('../documents/clients/lease-vectors.json', import.meta.url), `${text}\n`);
});
