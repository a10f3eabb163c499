import { createRuntimeHarness } from './runtime-harness.ts';

/** How many requests each operation makes to the table, by kind, and how many it may. */
export async function countRequests(): Promise<Record<string, string | number>[]> {
  const { event, offlineEvent, call, takeRequestCounts } = await createRuntimeHarness();
  const steps = [
    { operation: 'validate', budget: 1, request: event('validate') },
    { operation: 'validate, unknown key', budget: 1, request: event('validate', 'desk', 'UNKNOWN') },
    { operation: 'activate, first time', budget: 2, request: event('activate', 'desk') },
    { operation: 'activate, again', budget: 1, request: event('activate', 'desk') },
    { operation: 'validate, with its device', budget: 1, request: event('validate', 'desk') },
    { operation: 'activate, last seat', budget: 2, request: event('activate', 'laptop') },
    { operation: 'activate, no seat left', budget: 2, request: event('activate', 'phone') },
    { operation: 'deactivate', budget: 2, request: event('deactivate', 'desk') },
    { operation: 'deactivate, again', budget: 2, request: event('deactivate', 'desk') },
    // One of them counts the caller.
    { operation: 'offline activation, first time', budget: 3, request: offlineEvent('desk') },
    { operation: 'offline activation, again', budget: 2, request: offlineEvent('desk') },
    { operation: 'offline activation, no seat left', budget: 3, request: offlineEvent('phone') },
  ];
  const rows: Record<string, string | number>[] = [];
  for (const { operation, budget, request } of steps) {
    takeRequestCounts();
    const { statusCode, body } = await call(request);
    const { BatchGetItem = 0, TransactWriteItems = 0, ...others } = takeRequestCounts();
    const requests = [BatchGetItem, TransactWriteItems, ...Object.values(others)].reduce((sum, count) => sum + count, 0);
    const { code, lease } = JSON.parse(body ?? '');
    rows.push({
      operation,
      answer: `${statusCode} ${code}`,
      lease: lease === undefined ? '' : 'yes',
      BatchGetItem,
      TransactWriteItems,
      requests,
      budget,
    });
    if (requests > budget) process.exitCode = 1;
  }
  return rows;
}
