import { createEndpointRoute } from './create-endpoint.ts';
import { deleteEndpointRoute } from './delete-endpoint.ts';
import { getEndpointRoute } from './get-endpoint.ts';
import { listDeliveriesRoute } from './list-deliveries.ts';
import { listEndpointsRoute } from './list-endpoints.ts';
import { replayEventsRoute } from './replay-events.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import { sendTestEventRoute } from './send-test-event.ts';
import { updateEndpointRoute } from './update-endpoint.ts';

export const routes = [
  createEndpointRoute,
  listEndpointsRoute,
  getEndpointRoute,
  updateEndpointRoute,
  rotateSecretRoute,
  deleteEndpointRoute,
  sendTestEventRoute,
  replayEventsRoute,
  listDeliveriesRoute,
];
