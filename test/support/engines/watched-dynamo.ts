import type { Dynamo } from '../../../shared/db/dynamo/dynamo.ts';
import type { Faults } from './faults.ts';

/** What DynamoDB calls the requests of the interface. */
const operations = {
  get: 'GetItem',
  batchGet: 'BatchGetItem',
  query: 'Query',
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
  transactWrite: 'TransactWriteItems',
} as const satisfies Record<keyof Dynamo, string>;

/** The same requests, each counted and then left to `faults` with the name of its operation; a client's own retries are within one. */
export function watchedDynamo(dynamo: Dynamo, faults?: Faults) {
  let counts: Record<string, number> = {};
  const watch =
    <Request, Reply>(method: keyof Dynamo, send: (request: Request) => Promise<Reply>) =>
    (request: Request): Promise<Reply> => {
      const name = operations[method];
      counts[name] = (counts[name] ?? 0) + 1;
      return faults ? faults.call(name, () => send(request)) : send(request);
    };
  const watched: Dynamo = {
    get: watch('get', dynamo.get),
    batchGet: watch('batchGet', dynamo.batchGet),
    query: watch('query', dynamo.query),
    put: watch('put', dynamo.put),
    update: watch('update', dynamo.update),
    delete: watch('delete', dynamo.delete),
    transactWrite: watch('transactWrite', dynamo.transactWrite),
  };
  return {
    dynamo: watched,
    takeRequestCounts() {
      const taken = counts;
      counts = {};
      return taken;
    },
  };
}
