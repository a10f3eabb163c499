import { checkTable } from '../../../infra/commands/ops/check/check-table.ts';
import { sellSomeOfEach, startKeptStack } from '../../support/scenes/sold-stock.ts';

/** A stack in which some of each was made through the interface, and its table with the check of it. */
export async function startCheckedStack() {
  const stack = await startKeptStack();
  const scene = await sellSomeOfEach(stack);
  const table = await stack.openTable();
  async function check(wait: () => Promise<unknown> = async () => undefined) {
    const faults: string[] = [];
    const onFault = (fault: string) => void faults.push(fault);
    const summary = await checkTable({ ...table, segments: 3, unitsPerSecond: 1e6, wait, onFault });
    return { faults: faults.sort(), summary };
  }
  return { stack, scene, table, check };
}
