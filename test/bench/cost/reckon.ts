import { queueDefinitions } from '../../../infra/constructs/queues.ts';
import { cloud, prices } from './prices.ts';
import type { Step } from './scenarios.ts';

/** What an operation costs, in dollars, by what is paid for. */
export interface Bill {
  table: number;
  functions: number;
  gateway: number;
  queues: number;
  mail: number;
  logs: number;
  store: number;
  scan: number;
}

const nothing: Bill = { table: 0, functions: 0, gateway: 0, queues: 0, mail: 0, logs: 0, store: 0, scan: 0 };
/** A message is sent, received and deleted. */
const queueRequests = 3;

const queueOf = (name: string) => Object.values(queueDefinitions).find(({ worker }) => worker === name);

/** Of functions without a queue: those behind the gateway. */
export const apiMemoryMb = 1024;

/** How long the function would run in the cloud: its computing, slower by as much as it has of a processor, and its waiting. */
export function durationMs({ function: name, usage: { cpuMs, requests, providerRequests } }: Step): number {
  const slowness = Math.max(1, cloud.mbPerProcessor / memoryMbOf(name));
  return Math.max(1, cpuMs * slowness + requests * cloud.requestMs + providerRequests * cloud.providerMs);
}

const memoryMbOf = (name: string) => queueOf(name)?.memoryMb ?? apiMemoryMb;

function billOf(step: Step): Bill {
  const { usage } = step;
  const isWorker = queueOf(step.function) !== undefined;
  return {
    ...nothing,
    table: usage.readUnits * prices.table.perReadUnit + usage.writeUnits * prices.table.perWriteUnit,
    functions: prices.lambda.perRequest + runPrice(durationMs(step), memoryMbOf(step.function)),
    gateway: isWorker ? 0 : prices.httpApi.perRequest,
    queues: isWorker ? queueRequests * prices.queue.perRequest : 0,
    mail: step.function === 'mail-sender' ? prices.mail.perMail : 0,
    logs: (cloud.logBytes / 1e9) * prices.logs.perGb,
  };
}

const runPrice = (milliseconds: number, memoryMb: number) => (milliseconds / 1000) * (memoryMb / 1024) * prices.lambda.perGbSecondArm;

export const sumOfBills = (bills: readonly Bill[]): Bill =>
  bills.reduce((sum, bill) => {
    const { table, functions, gateway, queues, mail, logs, store, scan } = bill;
    return {
      table: sum.table + table,
      functions: sum.functions + functions,
      gateway: sum.gateway + gateway,
      queues: sum.queues + queues,
      mail: sum.mail + mail,
      logs: sum.logs + logs,
      store: sum.store + store,
      scan: sum.scan + scan,
    };
  }, nothing);

export const billOfOperation = (steps: readonly Step[]): Bill => sumOfBills(steps.map(billOf));

export const totalOf = (bill: Bill) => Object.values(bill).reduce((sum, part) => sum + part, 0);

/** What uploads in parts take beside the one PUT: to begin, store, list and put together, or, never finalized, to keep for a day and end. */
export function billOfParts(fileBytes: number, partBytes: number, { isFinalized }: { isFinalized: boolean }): Bill {
  const parts = Math.ceil(fileBytes / partBytes);
  const requests = (parts + (isFinalized ? 3 : 2)) * prices.store.perPut;
  return { ...nothing, store: requests + (isFinalized ? 0 : (fileBytes / 1e9) * (prices.store.gbMonth / 30)) };
}

/** A gigabyte in one file: uploaded, hashed by a function that computes for `cpuMs`, and scanned by the cloud's scanner. */
export function billOfGigabyte(cpuMs: number): Bill {
  const { memoryMb } = queueDefinitions.HASH_QUEUE_URL;
  const transferMs = (1000 / cloud.storeMbPerSecond) * 1000;
  const milliseconds = Math.max(transferMs, cpuMs * Math.max(1, cloud.mbPerProcessor / memoryMb));
  return {
    ...nothing,
    functions: prices.lambda.perRequest + runPrice(milliseconds, memoryMb),
    store: prices.store.perPut + 2 * prices.store.perGet,
    scan: prices.malwareScan.perGb + prices.malwareScan.perObject,
  };
}
