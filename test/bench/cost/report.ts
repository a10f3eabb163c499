import { createHash } from 'node:crypto';
import { startTableEngine } from '../../support/engines/table-engine.ts';
import { describeInterface } from '../../support/interface/describe-interface.ts';
import { printTable } from '../print-table.ts';
import { priceRegion, prices } from './prices.ts';
import { type Bill, billOfGigabyte, billOfOperation, billOfParts, totalOf } from './reckon.ts';
import { type Step, startScenarios } from './scenarios.ts';
import { productionTemplates, standingBill } from './standing.ts';

const warmUps = 20;
const rounds = 100;
const hashedMb = 256;
const partBytes = 16 * 1024 ** 2;

/** Measures each operation, and prints what it takes and costs. */
export async function reportCosts(): Promise<void> {
  await describeInterface();
  const engine = await startTableEngine();
  try {
    const { validate, activate, sale, check } = await measure();
    const bills: Record<string, Bill> = {
      'million validates': perMillion(billOfOperation(validate)),
      'million update checks': perMillion(billOfOperation(check)),
      'million activations': perMillion(billOfOperation(activate)),
      'million sales': perMillion(billOfOperation(sale)),
      'GB of files, scanned': billOfGigabyte(hashCpuMs()),
      'GB in parts of 16 MiB': billOfParts(1e9, partBytes, { isFinalized: true }),
      'GB in parts, given up': billOfParts(1e9, partBytes, { isFinalized: false }),
    };
    printTable('What each takes', [
      ...rowsOf('validate', validate),
      ...rowsOf('update check', check),
      ...rowsOf('activation', activate),
      ...rowsOf('sale', sale),
    ]);
    printTable(
      `Dollars for each, in ${priceRegion}`,
      Object.entries(bills).map(([what, bill]) => ({
        what,
        ...rounded(bill),
        total: totalOf(bill).toFixed(what.startsWith('GB') ? 4 : 2),
      })),
    );
    await printStanding('Dollars a month, whatever happens', { withEdge: false });
    await printStanding('With edge and user pool', { withEdge: true });
    printTable('Dollars for what comes with these', [
      { what: 'million requests through the edge', dollars: (1e6 * edgeRequest).toFixed(2) },
      { what: 'thousand users of the pool in a month, beyond 10,000', dollars: (1000 * prices.userPool.perUser).toFixed(2) },
    ]);
  } finally {
    await engine.stop();
  }
}

const edgeRequest = prices.cdnRequests.perRequest + prices.cdn.perFunctionRun + prices.firewall.perRequest;

async function printStanding(title: string, which: { withEdge: boolean }): Promise<void> {
  const bill = Object.entries(standingBill(await productionTemplates(which))).filter(([, { count }]) => count > 0);
  const total = bill.reduce((sum, [, { dollars }]) => sum + dollars, 0);
  printTable(title, [
    ...bill.map(([what, { count, dollars }]) => ({ what, count: String(count), dollars: dollars.toFixed(2) })),
    { what: 'total', count: '', dollars: total.toFixed(2) },
  ]);
}

/** The steps of the median round of each operation. */
async function measure() {
  const { validate, activate, sell, check, stop } = await startScenarios();
  const taken = { validate: [] as Step[][], activate: [] as Step[][], sale: [] as Step[][], check: [] as Step[][] };
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const steps = { activate: await activate(round), validate: await validate(round), sale: await sell(round), check: await check() };
    if (round < warmUps) continue;
    taken.activate.push(steps.activate);
    taken.validate.push(steps.validate);
    taken.sale.push(steps.sale);
    taken.check.push(steps.check);
  }
  await stop();
  return {
    validate: medianOf(taken.validate),
    activate: medianOf(taken.activate),
    sale: medianOf(taken.sale),
    check: medianOf(taken.check),
  };
}

function medianOf(all: readonly Step[][]): Step[] {
  const cpuMs = (steps: readonly Step[]) => steps.reduce((sum, { usage: { cpuMs } }) => sum + cpuMs, 0);
  return all.toSorted((a, b) => cpuMs(a) - cpuMs(b))[Math.floor(all.length / 2)] ?? [];
}

/** Of one gigabyte. */
function hashCpuMs(): number {
  const block = Buffer.alloc(1024 * 1024, 1);
  const hash = createHash('sha256');
  const before = process.cpuUsage();
  for (let done = 0; done < hashedMb; done += 1) hash.update(block);
  hash.digest();
  return (process.cpuUsage(before).user / 1000) * (1000 / hashedMb);
}

function perMillion(bill: Bill): Bill {
  return { ...bill, ...Object.fromEntries(Object.entries(bill).map(([part, dollars]) => [part, dollars * 1e6])) };
}

function rounded(bill: Bill) {
  return Object.fromEntries(Object.entries(bill).map(([part, dollars]) => [part, dollars.toFixed(2)]));
}

function rowsOf(operation: string, steps: readonly Step[]) {
  return steps.map(({ function: name, usage: { requests, readUnits, writeUnits, providerRequests, cpuMs } }) => ({
    operation,
    function: name,
    requests,
    'read units': readUnits,
    'write units': writeUnits,
    'at the provider': providerRequests,
    'CPU, ms': cpuMs.toFixed(1),
  }));
}
