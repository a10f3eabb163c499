import { createEndpoint } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { getEndpoint } from './get-endpoint.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listEndpoints } from './list-endpoints.ts';
import { replayEvents } from './replay-events.ts';
import { rotateSecret } from './rotate-secret.ts';
import { sendTestEvent } from './send-test-event.ts';
import { updateEndpoint } from './update-endpoint.ts';

export const routes = [
  createEndpoint,
  listEndpoints,
  getEndpoint,
  updateEndpoint,
  rotateSecret,
  deleteEndpoint,
  sendTestEvent,
  replayEvents,
  listDeliveries,
];
