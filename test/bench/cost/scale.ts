import { attributeBytes } from '../../../shared/db/item-size.ts';
import { addLicense } from '../../../shared/licenses/license-repository.ts';
import { describeInterface } from '../../support/interface/describe-interface.ts';
import { sampleLicense } from '../../support/samples/licenses.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { countPartitions, partitionLimits } from './partitions.ts';
import { prices } from './prices.ts';
import { billOfOperation, durationMs, totalOf } from './reckon.ts';
import { type Step, startScenarios } from './scenarios.ts';

const rounds = 60;
const callsPerSecond = 10_000;
const licensesStored = 100_000_000;
const secondsAMonth = 30 * 24 * 3600;
/** Of a new account; all three are raised on request. */
const defaultQuotas = { readUnitsPerTable: 40_000, functionsAtOnce: 1000, gatewayPerSecond: 10_000 };
/** What a consistent read takes one unit for. */
const bytesOfReadUnit = 4096;
/** What DynamoDB stores beside each item. */
const bytesBesideItem = 100;

type Row = Record<string, string | number>;

/**
 * What the service takes when it is large, reckoned from what one operation was measured to take here, the limits of one partition
 * and the prices and assumptions of `prices.ts`. Each row says how.
 */
export async function reckonScale(): Promise<Row[]> {
  await describeInterface();
  const scenarios = await startScenarios();
  const counter = countPartitions(scenarios.client);
  try {
    const activation = await repeat(scenarios.activate);
    const perActivation = counter.takeHottest();
    const validate = await repeat(scenarios.validate);
    const check = await repeat(scenarios.check);
    counter.takeHottest();
    await repeat(scenarios.sell);
    const perSale = counter.takeHottest();
    return [
      ...rowsOfCalls('validates', validate),
      ...rowsOfCalls('update checks', check),
      ...rowsOfStorage(sizeOfLicense()),
      rowOfSales(perSale),
      rowOfDevices(perActivation, activation),
      rowOfOneLicense(readUnitsOf(validate)),
      ...[500, 20_000].map(rowOfOneApp),
    ];
  } finally {
    await scenarios.stop();
  }
}

/** The steps of the last round: by then everything is warm. */
async function repeat(operation: (round: number) => Promise<Step[]>): Promise<Step[]> {
  let steps: Step[] = [];
  for (let round = 0; round < rounds; round += 1) steps = await operation(round);
  return steps;
}

const readUnitsOf = (steps: readonly Step[]) => steps.reduce((sum, { usage }) => sum + usage.readUnits, 0);
const number = (value: number) => (value < 10 ? Number(value.toFixed(2)) : Math.round(value)).toLocaleString('en');
const dollars = (value: number) => `$${number(value)}`;

function rowsOfCalls(calls: string, steps: readonly Step[]): Row[] {
  const units = readUnitsOf(steps);
  const milliseconds = steps.reduce((sum, step) => sum + durationMs(step), 0);
  const each = totalOf(billOfOperation(steps));
  const perSecond = number(callsPerSecond);
  const what = `${perSecond} ${calls} a second`;
  return [
    {
      what,
      figure: `${number(callsPerSecond * units)} read units a second`,
      reckoned: `${perSecond} × ${units} units; a new table may have ${number(defaultQuotas.readUnitsPerTable)}`,
    },
    {
      what,
      figure: `${Math.ceil((callsPerSecond * units) / partitionLimits.reads)} partitions at least`,
      reckoned: `${number(partitionLimits.reads)} read units each, where the calls spread over licenses and products`,
    },
    {
      what,
      figure: `${number((callsPerSecond * milliseconds) / 1000)} functions at once`,
      reckoned: `${perSecond} × ${milliseconds.toFixed(1)} ms; a new account may have ${number(defaultQuotas.functionsAtOnce)}, and ${number(defaultQuotas.gatewayPerSecond)} requests a second at the gateway`,
    },
    {
      what,
      figure: `${dollars(each * callsPerSecond * secondsAMonth)} a month`,
      reckoned: `${dollars(each * 1e6)} a million × ${number((callsPerSecond * secondsAMonth) / 1e6)} million`,
    },
  ];
}

/** Bytes of a license without devices: in the table, and in the table with its copy in an index. */
function sizeOfLicense() {
  const items = addLicense(sampleLicense().license).flatMap((write) => ('put' in write ? [write.put.Item] : []));
  const copies = items.filter((item) => item !== undefined && 'listPk' in item);
  const sizeOf = (all: typeof items) => all.reduce((sum, item) => sum + attributeBytes(item) + bytesBesideItem, 0);
  return { inTable: sizeOf(items), inIndex: sizeOf(copies) };
}

function rowsOfStorage({ inTable, inIndex }: ReturnType<typeof sizeOfLicense>): Row[] {
  const gigabytes = ((inTable + inIndex) * licensesStored) / 1e9;
  const what = `${number(licensesStored)} licenses`;
  return [
    {
      what,
      figure: `${number(gigabytes)} GB`,
      reckoned: `${number(inTable)} bytes a license in the table and ${number(inIndex)} in an index, without order, mail and devices`,
    },
    { what, figure: `${dollars(gigabytes * prices.table.gbMonth)} a month`, reckoned: `${dollars(prices.table.gbMonth)} a GB` },
  ];
}

function rowOfSales({ partition, units }: { partition: string; units: number }): Row {
  const each = units / rounds;
  return {
    what: 'one viral product',
    figure: `${number(partitionLimits.writes / each)} sales a second`,
    reckoned: `${kindOf(partition)} takes ${number(each)} write units a sale, of ${number(partitionLimits.writes)} a second`,
  };
}

function rowOfDevices({ partition, units }: { partition: string; units: number }, steps: readonly Step[]): Row {
  const each = units / rounds;
  const all = steps.reduce((sum, { usage }) => sum + usage.writeUnits, 0);
  return {
    what: 'one site license',
    figure: `${number(partitionLimits.writes / each)} new devices a second`,
    reckoned: `${kindOf(partition)} takes ${number(each)} of the ${number(all)} write units of an activation`,
  };
}

function rowOfOneLicense(units: number): Row {
  return {
    what: 'one license that everybody validates',
    figure: `${number(partitionLimits.reads / units)} validates a second`,
    reckoned: `${number(partitionLimits.reads)} read units of its partition ÷ ${units}`,
  };
}

/** Each check reads the product, of whatever size, and small items beside it. */
function rowOfOneApp(letters: number): Row {
  const bytes = attributeBytes(sampleProduct({ description: 'a'.repeat(letters) }));
  const units = Math.ceil(bytes / bytesOfReadUnit);
  return {
    what: `one app that everybody has, described in ${number(letters)} letters`,
    figure: `${number(partitionLimits.reads / units)} update checks a second`,
    reckoned: `its product has ${number(bytes / 1024)} KB, ${number(units)} of the ${number(partitionLimits.reads)} read units of its partition`,
  };
}

/** What kind of partition this is, without whose. */
const kindOf = (partition: string) => `a partition ${partition.replace(/#[^#]*$/, '#…')}`;
