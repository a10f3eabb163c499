import type { Mutant } from '../../mutant.ts';

const clients = ['test/integration/dynamo-clients.test.ts'];
const starts = ['test/integration/start-function.test.ts'];
const client = { file: 'shared/aws/signed-client.ts', tests: clients };
const dynamo = { file: 'shared/db/signed-dynamo.ts', tests: clients };
const start = { file: 'shared/start-function.ts', tests: starts };

/** Requests without a client of the SDK, and what is done before the first event. */
export const signedRequests: readonly Mutant[] = [
  {
    ...dynamo,
    fault: 'a transaction whose answer is lost is made twice',
    code: 'ClientRequestToken: randomUUID(), ',
    mutant: '',
  },
  {
    ...dynamo,
    fault: 'a cancelled transaction does not say what stood there',
    code: 'code: Code, old: plainIfAny(old)',
    mutant: 'code: Code, old: undefined',
  },
  {
    ...dynamo,
    fault: 'a failed condition does not say what stood there',
    code: 'new ConditionFailedError(plainIfAny(Item))',
    mutant: 'new ConditionFailedError(undefined)',
  },
  {
    ...client,
    fault: 'an answer that stops midway is waited for',
    code: 'socketTimeout: limits.requestTimeout, ',
    mutant: '',
  },
  {
    ...client,
    fault: 'a request that was throttled is not made again',
    code: "isThrottlingError(error) ? 'THROTTLING' : ",
    mutant: '',
  },
  {
    ...client,
    fault: 'a clock that is wrong stays wrong',
    code: '      clockOffset = theirs - Date.now();\n',
    mutant: '',
  },
  {
    ...client,
    fault: 'credentials for a while sign without their token',
    code: "  sessionToken: process.env['AWS_SESSION_TOKEN'],\n",
    mutant: '',
  },
  {
    ...client,
    fault: 'functions in China ask hosts that are elsewhere',
    code: "region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'",
    mutant: "'amazonaws.com'",
  },
  {
    ...start,
    fault: 'a start waits for a table that does not answer',
    code: 'Promise.race([prime().catch(() => undefined), sleep(primeMs, undefined, { ref: false })])',
    mutant: 'prime().catch(() => undefined)',
  },
  {
    ...start,
    fault: 'a table that refuses ends a start',
    code: 'prime().catch(() => undefined)',
    mutant: 'prime()',
  },
  {
    ...start,
    fault: 'a function with its secrets in the environment connects while somebody waits',
    code: '{ ready: primed(handle) }',
    mutant: '{ ready: Promise.resolve() }',
  },
];
