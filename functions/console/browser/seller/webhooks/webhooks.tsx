import { useState } from 'preact/hooks';
import type { WebhookEndpointWithSecret } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Secret } from '../../components/secret.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { EndpointForm, EndpointState } from './endpoint.tsx';
import { creation, isEveryType, noEndpoint } from './endpoint-values.ts';
import { texts } from './webhooks-texts.ts';

/** As many as the service lets a seller have. */
const maxEndpoints = 5;

/** Where the seller's systems hear what happens. */
export function Webhooks() {
  const endpoints = useList('listWebhookEndpoints', {});
  const [made, setMade] = useState<WebhookEndpointWithSecret>();
  const { send, failure } = useSend('createWebhookEndpoint', { done: setMade });
  return (
    <Screen title={texts.webhooks} lead={texts.lead}>
      {made && <Secret label={`${texts.secret}: ${made.url}`} value={made.secret} onDone={() => setMade(undefined)} />}
      <Loaded of={endpoints}>
        {(rows) => (
          <>
            {rows.length > 0 && (
              <DataTable
                label={texts.webhooks}
                rows={rows}
                columns={[
                  {
                    name: texts.url,
                    of: ({ id, url }) => (
                      <a href={`/console/webhooks/${id}`}>
                        <SellerText text={url} />
                      </a>
                    ),
                  },
                  { name: texts.description, of: ({ description = '' }) => <SellerText text={description} /> },
                  {
                    name: texts.events,
                    of: ({ event_types: types }) =>
                      isEveryType(types) ? texts.all : types.map((type) => wordOf('event', type)).join(', '),
                  },
                  { name: texts.state, of: (endpoint) => <EndpointState of={endpoint} /> },
                ]}
              />
            )}
            <section class="card">
              <h2>{texts.add}</h2>
              {rows.length < maxEndpoints ? (
                <EndpointForm
                  operation="createWebhookEndpoint"
                  base={noEndpoint}
                  draft=""
                  submit={texts.add}
                  notDone={texts.notAdded}
                  failure={failure}
                  onSend={async (values) => (await send({ body: creation(values) })) && noEndpoint}
                />
              ) : (
                <p>{texts.full}</p>
              )}
            </section>
          </>
        )}
      </Loaded>
    </Screen>
  );
}
