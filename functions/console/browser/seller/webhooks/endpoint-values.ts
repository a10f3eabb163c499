import type { CreateWebhookEndpointBody, UpdateWebhookEndpointBody, WebhookEndpoint } from '../../../../../build/client.ts';
import type { Fault } from '../../forms/faults.ts';

/** An endpoint as its forms show it. */
export type EndpointValues = { url: string; description: string; event_types: readonly string[]; enabled: boolean };

type EventType = WebhookEndpoint['event_types'][number];

/** Every type of event, in the order in which they are offered. */
export const eventTypes = [
  'order.paid',
  'order.refunded',
  'order.disputed',
  'order.dispute_closed',
  'license.issued',
  'license.status_changed',
  'license.changed',
  'activation.created',
  'activation.released',
  'activation.refused',
  'product.reviewed',
  'product_file.reviewed',
  'release.reviewed',
  'release.published',
  'release.yanked',
  'test',
] as const satisfies EventType[];

export const noEndpoint: EndpointValues = { url: '', description: '', event_types: [], enabled: true };

export const endpointValues = ({ url, description = '', event_types, enabled }: WebhookEndpoint): EndpointValues => ({
  url,
  description,
  event_types: inOrder(event_types),
  enabled,
});

/** In one order, so that the same types are the same value. Types of a later version stay, at the end. */
const inOrder = (types: readonly string[]) => [
  ...eventTypes.filter((type) => types.includes(type)),
  ...types.filter((type) => !eventTypes.some((known) => known === type)),
];

/** Whether these are all types there are, those too that are added later: all of them, or none named. */
export const isEveryType = (types: readonly string[]): boolean => types.length === 0 || eventTypes.every((type) => types.includes(type));

const known = (types: readonly string[]): EventType[] => eventTypes.filter((type) => types.includes(type));

/** What makes an endpoint; without types it hears everything. */
export const creation = ({ url, description, event_types }: EndpointValues): CreateWebhookEndpointBody => ({
  url: url.trim(),
  ...(description.trim() !== '' && { description: description.trim() }),
  ...(!isEveryType(event_types) && { event_types: known(event_types) }),
});

/** What changes an endpoint: what differs alone, so that two who change different things do not undo each other. */
export function change(values: EndpointValues, before: WebhookEndpoint): UpdateWebhookEndpointBody {
  const old = endpointValues(before);
  const isOther = isEveryType(values.event_types)
    ? !isEveryType(old.event_types)
    : inOrder(values.event_types).join() !== old.event_types.join();
  return {
    ...(values.url.trim() !== old.url && { url: values.url.trim() }),
    ...(values.description.trim() !== old.description && { description: values.description.trim() }),
    ...(isOther && { event_types: isEveryType(values.event_types) ? [...eventTypes] : known(values.event_types) }),
    ...(values.enabled !== old.enabled && { enabled: values.enabled }),
  };
}

/** Which addresses are taken depends on where the service runs: it says so itself. */
export const faultsInEndpoint = ({ url }: EndpointValues): Fault[] => (url.trim() === '' ? [{ field: 'url', text: 'is missing' }] : []);
