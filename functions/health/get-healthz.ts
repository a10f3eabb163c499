import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';

export const HealthResponse = z.object({ status: z.string() });

export const getHealthzRoute = endpoint({
  operationId: 'getHealthz',
  method: 'GET',
  path: '/healthz',
  tag: 'Health',
  summary: 'Reports that the service runs',
  description: 'Looks at nothing but itself.',
  audience: 'anyone',
  rateLimit: 'health',
  success: { status: 200, body: HealthResponse },
  errors: [],
  handle: () => ({ status: 'ok' }),
});
