import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { checkReady, type Probes } from './check-ready.ts';
import { HealthResponse } from './get-healthz.ts';

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
  async handle(_input, c: Needs<'logger'> & { probes: Probes }) {
    await checkReady(c);
    return { status: 'ok' };
  },
});
