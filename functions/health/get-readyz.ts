import { endpoint } from '../../shared/http/endpoint.ts';
import { HealthResponse } from './get-healthz.ts';
import type { HealthService } from './health-service.ts';

export const getReadyz = endpoint({
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
  async handle(_input, { health }: { health: HealthService }) {
    await health.checkReady();
    return { status: 'ok' };
  },
});
