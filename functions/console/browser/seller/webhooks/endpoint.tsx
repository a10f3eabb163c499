import type { ComponentChildren } from 'preact';
import type { WebhookEndpoint } from '../../../../../build/client.ts';
import { Checks } from '../../fields/choices.tsx';
import { TextField } from '../../fields/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import type { FormOptions } from '../../forms/use-form.ts';
import type { NotDone } from '../../words/not-done.ts';
import { wordOf } from '../../words/words.ts';
import { type EndpointValues, eventTypes } from './endpoint-values.ts';
import { texts } from './webhooks-texts.ts';

/** Whether events are sent there, and why not where it was not the seller who said so. */
export const EndpointState = ({ of: { enabled, disabled_reason: reason } }: { of: WebhookEndpoint }) => (
  <>
    <span class={enabled ? 'state good' : 'state bad'}>{enabled ? texts.on : texts.off}</span>{' '}
    {!enabled && reason && wordOf('disabled', reason)}
  </>
);

/** The form of an endpoint, when it is made and later. Which addresses are taken depends on where the service runs: it says so itself. */
export function EndpointForm({
  operation,
  base,
  draft,
  onSend,
  children,
  ...told
}: Pick<FormOptions<EndpointValues>, 'failure'> & {
  operation: 'createWebhookEndpoint' | 'updateWebhookEndpoint';
  base: EndpointValues;
  /** The name of its draft. */
  draft: string;
  submit?: string;
  notDone?: NotDone;
  /** Sends it; what the form holds then, or nothing when it failed. */
  onSend: (values: EndpointValues) => Promise<EndpointValues | undefined>;
  children?: ComponentChildren;
}) {
  const edit = useEdit({ key: `webhook:${draft}`, base });
  return (
    <Form
      operation={operation}
      edit={edit}
      {...told}
      onSend={async (values) => {
        const stored = await onSend(values);
        return stored && { values: stored };
      }}
    >
      <TextField name="url" type="url" label={texts.url} hint={texts.urlHint} />
      <TextField name="description" label={texts.description} optional most={200} />
      <Checks
        name="event_types"
        label={texts.events}
        hint={texts.eventsHint}
        optional
        options={eventTypes.map((type) => [type, wordOf('event', type)])}
      />
      {children}
    </Form>
  );
}
