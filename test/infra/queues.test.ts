import { expect, test } from '@jest/globals';
import { queueDefinitions } from '../../infra/constructs/queues.ts';

test.each(Object.values(queueDefinitions))(
  '$worker leases a job for as long as it may run, so that nobody repeats it meanwhile',
  async (queue) => {
    const { leaseSeconds } = await import(`../../functions/${queue.worker}/compose.ts`);
    expect(leaseSeconds).toBeGreaterThanOrEqual(queue.timeoutSeconds);
  },
);
