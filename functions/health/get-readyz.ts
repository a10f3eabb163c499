import { endpoint } from '../../shared/http/endpoint.ts';
import { HealthResponse } from './get-healthz.ts';
import type { HealthService } from './health-service.ts';

export const getReadyz = endpoint({
  operationId: 'getReadyz',
  method: 'GET',
  path: '/readyz',
  tag: 'Health',
  summary: 'Checks whether the table, the queues and the file store answer',
  description: 'Answers 503 while any of them does not.',
  audience: 'anyone',
  rateLimit: 'health',
  success: { status: 200, body: HealthResponse },
  errors: [],
  async handle(_input, { health }: { health: HealthService }) {
    await health.checkReady();
    return { status: 'ok' };
  },
});
