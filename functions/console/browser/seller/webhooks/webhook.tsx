import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { WebhookEndpoint } from '../../../../../build/client.ts';
import { useRead } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { Check } from '../../forms/choices.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { AskFirst } from '../../parts/ask-first.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointFields } from './endpoint-fields.tsx';
import { EndpointState, WhyOff } from './endpoint-state.tsx';
import { change, endpointValues, faultsInEndpoint } from './endpoint-values.ts';
import { ShownSecret } from './shown-secret.tsx';
import { say } from './webhooks-texts.ts';

/** One place where a seller's system hears what happens, and how that goes. */
export function Webhook() {
  const { endpoint_id = '' } = useRoute().params;
  return <OneWebhook key={endpoint_id} id={endpoint_id} />;
}

function OneWebhook({ id }: { id: string }) {
  const path = { endpoint_id: id };
  const endpoint = useRead('getWebhookEndpoint', { path });
  const [secret, setSecret] = useState<string>();
  const { route } = useLocation();
  const { body } = endpoint;
  return (
    <Screen
      title={body?.description || say.noEndpoint}
      back={{ href: '/console/webhooks', text: say.webhooks }}
      lead={
        body && (
          <>
            <EndpointState of={body} /> <SellerText text={body.url} />
          </>
        )
      }
    >
      {secret && body && <ShownSecret value={secret} url={body.url} onDone={() => setSecret(undefined)} />}
      <Loaded of={endpoint}>
        {(known) => (
          <>
            <WhyOff of={known} />
            <Deliveries endpoint={known} />
            <section class="card">
              <h2>{say.change}</h2>
              <Settings endpoint={known} />
            </section>
            <section class="stack">
              <h2>{say.signing}</h2>
              <p>{say.signingText}</p>
              <p class="buttons">
                <AskFirst
                  operation="rotateWebhookSecret"
                  args={() => ({ path })}
                  ask={say.rotate}
                  title={say.rotate}
                  kind="main"
                  said={say.rotated}
                  done={(made) => setSecret(made.secret)}
                >
                  <p>{say.rotateText}</p>
                </AskFirst>
                <AskFirst
                  operation="deleteWebhookEndpoint"
                  args={() => ({ path })}
                  ask={say.delete}
                  title={say.deleteTitle}
                  said={say.deleted}
                  done={() => route('/console/webhooks', true)}
                >
                  <p>{say.deleteText}</p>
                </AskFirst>
              </p>
            </section>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function Settings({ endpoint }: { endpoint: WebhookEndpoint }) {
  const edit = useEdit({ key: `webhook:${endpoint.id}`, base: endpointValues(endpoint) });
  const { send, failure } = useSend('updateWebhookEndpoint');
  return (
    <Form
      operation="updateWebhookEndpoint"
      target={endpoint.id}
      edit={edit}
      submit={say.save}
      check={faultsInEndpoint}
      failure={failure}
      what={say.notSaved}
      onSend={async (values) => {
        const body = await send({ path: { endpoint_id: endpoint.id }, body: change(values, endpoint) });
        return body && { values: endpointValues(body) };
      }}
    >
      <EndpointFields />
      <Check name="enabled" label={say.enabled} />
    </Form>
  );
}
