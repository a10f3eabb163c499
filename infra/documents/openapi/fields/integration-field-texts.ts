import { exampleIds, exampleTime, type FieldTexts, ofEach } from './field-texts.ts';

const tokenId = 'tok_01KG9TAD3X6ZH25F01K4N8Q9ST';
const endpointId = 'whe_01KG9TAD3X6ZH25F01K4N8Q9ST';
const eventId = 'evt_01KG9TBE4Y70J36G12M5P9R0TV_Qy8rT2wK';
const receiver = 'https://hooks.example.com/events';
const secret = Buffer.from('an example of a secret: 32 bytes');

/** The fields of what connects a seller's own systems: API tokens, webhook endpoints and what is sent to them. */
export const integrationFieldTexts: FieldTexts = {
  expires_in_days: { text: 'For how many days it was made.', example: 90 },
  last_used_at: { text: 'When it was last used, at most a minute late.', example: exampleTime },
  product_ids: {
    text: 'The products that it opens; left out, every product of the seller, those too that are made later.',
    example: [exampleIds.product],
  },
  scopes: {
    text: 'What it opens: each endpoint names under `security` the scopes of which one is enough. A write scope opens no reads but those of its own.',
    example: ['releases:read', 'releases:write'],
  },
  token_id: { text: 'The API token.', example: tokenId },
  ...ofEach(['CreateApiTokenRequest', 'ApiToken', 'NewApiToken'], {
    name: { text: 'What the seller calls it.', example: 'GitHub Actions' },
  }),
  ...ofEach(['ApiToken', 'NewApiToken'], {
    id: { text: 'The API token.', example: tokenId },
    expires_at: { text: 'From when on it opens nothing.', example: '2026-05-01T09:00:00.000Z' },
    revoked_at: { text: 'When its seller revoked it.', example: exampleTime },
  }),
  'NewApiToken.token': {
    text: 'Sent as `Authorization: Bearer`, it is the token. It is shown here alone.',
    example: `lst_${tokenId.slice(4)}_${secret.toString('base64url')}`,
  },
  attempts: { text: 'How often it was sent since it was last asked for.', example: 1 },
  disabled_reason: {
    text: 'Why nothing is sent, where it was not the seller who disabled it: `gone` after a reply of 410, `failing` after five days of failures.',
    example: 'failing',
    isRare: true,
  },
  count: { text: 'How many of the events that are kept are sent again; 100,000 stands for more, too.', example: 12 },
  event_ids: { text: 'The event, by the `event_id` of its delivery.', example: [eventId] },
  enabled: { text: 'Whether events are sent. What happens while they are not is kept for a replay.', example: true },
  endpoint_id: { text: 'The webhook endpoint.', example: endpointId },
  event_id: { text: 'The event as this endpoint gets it: the header `webhook-id` of each attempt.', example: eventId },
  'ReplayEventsRequest.event_id': {
    text: 'The one event to send again, by the `webhook-id` that any endpoint of the seller got it with, or by the part of it that all have in common.',
    example: eventId,
  },
  event_types: {
    text: 'The types of events that are sent. Left out of a request, or whole: every type, those too that are added later.',
    example: ['order.paid', 'license.issued'],
  },
  last_error: { text: 'Why the last attempt failed. Nothing that the receiver said.', example: 'timeout', isRare: true },
  last_status_code: { text: 'The HTTP status that the receiver last replied with.', example: 204 },
  next_attempt_at: { text: 'When it is sent next; absent once it is delivered or failed.', example: exampleTime, isRare: true },
  secret: {
    text: 'Verifies the signatures of what is sent, as Standard Webhooks does it. It is shown here alone.',
    example: `whsec_${secret.toString('base64')}`,
  },
  since: { text: 'Sends again what happened from this time on, which is not in the future.', example: exampleTime, isRare: true },
  type: { text: 'What happened.', example: 'order.paid' },
  'EventDelivery.status': { text: 'Whether it is yet to be sent, was taken, or was given up.', example: 'delivered' },
  ...ofEach(['CreateWebhookEndpointRequest', 'UpdateWebhookEndpointRequest', 'WebhookEndpoint', 'WebhookEndpointWithSecret'], {
    description: { text: 'The seller’s own note.', example: 'Accounting' },
  }),
  ...ofEach(['CreateWebhookEndpointRequest', 'UpdateWebhookEndpointRequest'], {
    url: {
      text: 'Where events are posted: https on port 443 of a public name other than this service’s, without credentials or fragment.',
      example: receiver,
    },
  }),
  ...ofEach(['WebhookEndpoint', 'WebhookEndpointWithSecret'], {
    id: { text: 'The webhook endpoint.', example: endpointId },
    url: { text: 'Where events are posted.', example: receiver },
  }),
};
