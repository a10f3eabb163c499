import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { percentile } from '../percentile.ts';

export type Handler = (event: APIGatewayProxyEventV2, context: object) => Promise<APIGatewayProxyStructuredResultV2>;
export interface Measured {
  p50: number;
  p99: number;
  cpu: number;
}

/** Calls of each run. */
const calls = Number(process.env['BENCH_CALLS'] ?? 20_000);
/** The two take turns, so that whatever else the machine does meets both alike. */
const callsATurn = 500;

/** Two handlers, each with its event, many times: milliseconds from event to reply, and of the processor. */
export async function measureInTurns<Name extends string>(
  called: Readonly<Record<Name, readonly [Handler, APIGatewayProxyEventV2]>>,
  inFlight: number,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(called) as Name[];
  const taken = new Map(names.map((name) => [name, { times: [] as number[], cpu: 0 }]));
  for (let done = 0; done < calls; done += callsATurn) {
    for (const [name, one] of taken) {
      const before = process.cpuUsage();
      const [handler, request] = called[name];
      await callMany(handler, request, inFlight, one.times);
      const { user, system } = process.cpuUsage(before);
      one.cpu += user + system;
    }
  }
  const measured = [...taken].map(([name, { times, cpu }]) => [
    name,
    { p50: percentile(times, 0.5), p99: percentile(times, 0.99), cpu: cpu / calls / 1000 },
  ]);
  return Object.fromEntries(measured);
}

async function callMany(handler: Handler, request: APIGatewayProxyEventV2, inFlight: number, times: number[]): Promise<void> {
  let left = callsATurn;
  const callOnAndOn = async () => {
    while (left > 0) {
      left -= 1;
      const start = process.hrtime.bigint();
      await handler(request, {});
      times.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, callOnAndOn));
}
