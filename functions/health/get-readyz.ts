import type { Needs } from '../../shared/context.ts';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { HealthResponse } from './get-healthz.ts';

/** Checks whether a dependency answers; rejects when it does not. */
export type Probe = () => Promise<unknown>;

/** By the name of the dependency that each checks. */
interface HasProbes {
  probes: Readonly<Record<string, Probe>>;
}

export const getReadyzRoute = endpoint({
  operationId: 'getReadyz',
  method: 'GET',
  path: '/readyz',
  tag: 'Health',
  summary: 'Checks whether the table, the queues and the file store answer, and every secret is set',
  description: 'Answers 503 until all of it is so.',
  audience: 'anyone',
  rateLimit: 'health',
  success: { status: 200, body: HealthResponse },
  errors: [],
  async handle(_input, c: Needs<'logger'> & HasProbes) {
    const outcomes = await Promise.all(Object.entries(c.probes).map(([name, probe]) => isWell(c, name, probe)));
    if (outcomes.includes(false)) throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 5 });
    return { status: 'ok' };
  },
});

async function isWell(c: Needs<'logger'>, dependency: string, probe: Probe): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch (error) {
    c.logger.error('dependency_unavailable', { dependency, error });
    return false;
  }
}
