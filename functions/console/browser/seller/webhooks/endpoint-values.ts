import type { CreateWebhookEndpointBody, UpdateWebhookEndpointBody, WebhookEndpoint } from '../../../../../build/client.ts';
import { sellerStates } from '../../words/seller-states.ts';

/** An endpoint as its forms show it. */
export type EndpointValues = { url: string; description: string; event_types: readonly string[]; enabled: boolean };

type EventType = WebhookEndpoint['event_types'][number];

const isType = (type: string): type is EventType => type in sellerStates.event;

/** Every type of event, in the order in which they are offered. */
export const eventTypes: readonly EventType[] = Object.keys(sellerStates.event).filter(isType);

export const noEndpoint: EndpointValues = { url: '', description: '', event_types: [], enabled: true };

export const endpointValues = ({ url, description = '', event_types, enabled }: WebhookEndpoint): EndpointValues => ({
  url,
  description,
  event_types: inOrder(event_types),
  enabled,
});

/** In one order, so that the same types are the same value. */
const inOrder = (types: readonly string[]): EventType[] => eventTypes.filter((type) => types.includes(type));

/** Whether these are all types there are, those too that are added later: all of them, or none named. */
export const isEveryType = (types: readonly string[]): boolean => types.length === 0 || eventTypes.every((type) => types.includes(type));

/** What makes an endpoint; without types it hears everything. */
export const creation = ({ url, description, event_types }: EndpointValues): CreateWebhookEndpointBody => ({
  url: url.trim(),
  ...(description.trim() !== '' && { description: description.trim() }),
  ...(!isEveryType(event_types) && { event_types: inOrder(event_types) }),
});

/** What changes an endpoint: what differs alone, so that two who change different things do not undo each other. */
export function change({ url, description, event_types, enabled }: EndpointValues, before: WebhookEndpoint): UpdateWebhookEndpointBody {
  const old = endpointValues(before);
  const wanted = {
    url: url.trim(),
    description: description.trim(),
    enabled,
    event_types: isEveryType(event_types) ? [...eventTypes] : inOrder(event_types),
  };
  return {
    ...(wanted.url !== old.url && { url: wanted.url }),
    ...(wanted.description !== old.description && { description: wanted.description }),
    ...(wanted.event_types.join() !== old.event_types.join() && { event_types: wanted.event_types }),
    ...(enabled !== old.enabled && { enabled }),
  };
}
