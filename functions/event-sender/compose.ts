import { createWorker } from '../../shared/queue/create-worker.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import { createSendRequest, type SendRequest } from '../../shared/webhook-endpoints/requests/send-request.ts';
import type * as declaration from './declaration.ts';
import { deliverEvents } from './deliver-events.ts';

/** As long as the function may run; whoever wakes its jobs counts on it. */
export const leaseSeconds = 60;

/** The worker that sends events to sellers' endpoints. */
export function compose(start: Start<typeof declaration> & { sendRequest?: SendRequest }) {
  const c = jobContextOf(start);
  const { STAGE: stage, PUBLIC_BASE_URL: publicBaseUrl } = c.settings;
  const { sendRequest = createSendRequest({ stage, publicBaseUrl }) } = start;
  return createWorker({ ...c, sendRequest, leaseSeconds }, { run: { 'deliver-events': deliverEvents }, leaseSeconds });
}
