import { useState } from 'preact/hooks';
import type { WebhookEndpointWithSecret } from '../../../../../build/client.ts';
import { useRead } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { Secret, secretId } from '../../components/secret.tsx';
import { Check } from '../../fields/choices.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { navigate, useParam } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointForm, EndpointState } from './endpoint.tsx';
import { change, endpointValues } from './endpoint-values.ts';
import { texts } from './webhooks-texts.ts';

/** One place where a seller's system hears what happens, and how that goes. */
export function Webhook() {
  const id = useParam('endpoint_id');
  const path = { endpoint_id: id };
  const endpoint = useRead('getWebhookEndpoint', { path });
  const update = useSend('updateWebhookEndpoint');
  const [made, setMade] = useState<WebhookEndpointWithSecret>();
  const { body } = endpoint;
  return (
    <Screen
      title={body?.description || texts.webhooks}
      back={{ href: '/console/webhooks', text: texts.webhooks }}
      lead={
        body && (
          <>
            <EndpointState of={body} /> <SellerText text={body.url} />
          </>
        )
      }
    >
      {made && <Secret label={`${texts.secret}: ${made.url}`} value={made.secret} onDone={() => setMade(undefined)} />}
      <Loaded of={endpoint}>
        {(known) => (
          <>
            {!known.enabled && <p class="notice warn">{texts.whyOff}</p>}
            <Deliveries endpoint={known} />
            <section class="card">
              <h2>{texts.settings}</h2>
              <EndpointForm
                operation="updateWebhookEndpoint"
                base={endpointValues(known)}
                draft={id}
                failure={update.failure}
                onSend={async (values) => {
                  const stored = await update.send({ path, body: change(values, known) });
                  return stored && endpointValues(stored);
                }}
              >
                <Check name="enabled" label={texts.enabled} />
              </EndpointForm>
            </section>
            <Ends id={id} onRotated={setMade} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** What ends something: its secret, or all of it. */
function Ends({ id, onRotated }: { id: string; onRotated: (made: WebhookEndpointWithSecret) => void }) {
  const path = { endpoint_id: id };
  return (
    <section class="buttons">
      <AskFirst
        operation="rotateWebhookSecret"
        args={() => ({ path })}
        ask={texts.rotate}
        kind="main"
        notDone={texts.notRotated}
        done={onRotated}
        focusAfter={secretId}
      >
        <p>{texts.rotateText}</p>
      </AskFirst>
      <AskFirst
        operation="deleteWebhookEndpoint"
        args={() => ({ path })}
        ask={texts.delete}
        notDone={texts.notDeleted}
        done={() => navigate('/console/webhooks', true)}
      >
        <p>{texts.deleteText}</p>
      </AskFirst>
    </section>
  );
}
