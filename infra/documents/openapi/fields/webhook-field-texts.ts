import type { FieldText } from './field-texts.ts';

const at = '2026-01-31T09:00:00.000Z';
const secret = `whsec_${Buffer.from('an example of a secret: 32 bytes').toString('base64')}`;

/** The fields of webhook endpoints and of what is sent to them, named as those of `fieldTexts`. */
export const webhookFieldTexts: Readonly<Record<string, FieldText>> = {
  attempts: { text: 'How often it was sent since it was last asked for.', example: 1 },
  disabled_reason: {
    text: 'Why nothing is sent, where it was not the seller who disabled it: `gone` after a reply of 410, `failing` after five days of failures.',
    example: 'failing',
  },
  count: { text: 'How many of the events that are kept are sent again; 100,000 stands for more, too.', example: 12 },
  event_ids: {
    text: 'The event, by the `event_id` of its delivery.',
    example: ['evt_01KG9TBE4Y70J36G12M5P9R0TV_Qy8rT2wK'],
  },
  enabled: { text: 'Whether events are sent. What happens while they are not is kept for a replay.', example: true },
  endpoint_id: { text: 'The webhook endpoint.', example: 'whe_01KG9TAD3X6ZH25F01K4N8Q9ST' },
  event_id: {
    text: 'The event as this endpoint gets it: the header `webhook-id` of each attempt.',
    example: 'evt_01KG9TBE4Y70J36G12M5P9R0TV_Qy8rT2wK',
  },
  'ReplayEventsRequest.event_id': {
    text: 'The one event to send again, by the `webhook-id` that any endpoint of the seller got it with, or by the part of it that all have in common.',
    example: 'evt_01KG9TBE4Y70J36G12M5P9R0TV_Qy8rT2wK',
  },
  event_types: {
    text: 'The types of events that are sent. Left out of a request, or whole: every type, those too that are added later.',
    example: ['order.paid', 'license.issued'],
  },
  last_error: { text: 'Why the last attempt failed. Nothing that the receiver said.', example: 'timeout' },
  last_status_code: { text: 'The HTTP status that the receiver last replied with.', example: 204 },
  next_attempt_at: { text: 'When it is sent next; absent once it is delivered or failed.', example: at },
  secret: { text: 'Verifies the signatures of what is sent, as Standard Webhooks does it. It is shown here alone.', example: secret },
  since: { text: 'Sends again what happened from this time on, which is not in the future.', example: at },
  type: { text: 'What happened.', example: 'order.paid' },
  'CreateWebhookEndpointRequest.description': { text: 'The seller’s own note.', example: 'Accounting' },
  'CreateWebhookEndpointRequest.url': {
    text: 'Where events are posted: https on port 443 of a public name other than this service’s, without credentials or fragment.',
    example: 'https://hooks.example.com/events',
  },
  'EventDelivery.status': { text: 'Whether it is yet to be sent, was taken, or was given up.', example: 'delivered' },
  'UpdateWebhookEndpointRequest.description': { text: 'The seller’s own note.', example: 'Accounting' },
  'UpdateWebhookEndpointRequest.url': {
    text: 'Where events are posted: https on port 443 of a public name other than this service’s, without credentials or fragment.',
    example: 'https://hooks.example.com/events',
  },
  'WebhookEndpoint.description': { text: 'The seller’s own note.', example: 'Accounting' },
  'WebhookEndpoint.id': { text: 'The webhook endpoint.', example: 'whe_01KG9TAD3X6ZH25F01K4N8Q9ST' },
  'WebhookEndpoint.url': { text: 'Where events are posted.', example: 'https://hooks.example.com/events' },
  'WebhookEndpointWithSecret.description': { text: 'The seller’s own note.', example: 'Accounting' },
  'WebhookEndpointWithSecret.id': { text: 'The webhook endpoint.', example: 'whe_01KG9TAD3X6ZH25F01K4N8Q9ST' },
  'WebhookEndpointWithSecret.url': { text: 'Where events are posted.', example: 'https://hooks.example.com/events' },
};
