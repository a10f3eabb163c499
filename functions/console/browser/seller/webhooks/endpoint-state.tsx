import type { WebhookEndpoint } from '../../../../../build/client.ts';
import { wordOf } from '../../words/words.ts';
import { texts } from './webhooks-texts.ts';

/** Whether events are sent there, and why not where it was not the seller who said so. */
export const EndpointState = ({ of: { enabled, disabled_reason: reason } }: { of: WebhookEndpoint }) => (
  <>
    <span class={enabled ? 'state good' : 'state bad'}>{enabled ? texts.on : texts.off}</span>{' '}
    {!enabled && reason && wordOf('disabled', reason)}
  </>
);
