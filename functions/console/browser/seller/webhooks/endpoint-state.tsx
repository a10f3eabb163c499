import type { WebhookEndpoint } from '../../../../../build/client.ts';
import { wordOf } from '../../words/words.ts';
import { say } from './webhooks-texts.ts';

/** Whether events are sent there, and who said that they are not. */
export const EndpointState = ({ of: { enabled, disabled_reason: reason } }: { of: WebhookEndpoint }) => (
  <>
    <span class={enabled ? 'state good' : 'state bad'}>{enabled ? say.on : say.off}</span>
    {!enabled && reason && <> {wordOf('disabled', reason)}</>}
  </>
);

/** Why nothing is sent, and what to do. */
export function WhyOff({ of: { enabled, disabled_reason: reason } }: { of: WebhookEndpoint }) {
  if (enabled) return null;
  const why = reason === 'gone' ? say.offGone : reason === 'failing' ? say.offFailing : say.offByYou;
  return <p class="notice warn">{why}</p>;
}
