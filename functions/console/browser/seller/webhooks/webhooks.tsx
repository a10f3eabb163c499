import { useState } from 'preact/hooks';
import type { WebhookEndpoint } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { announce } from '../../frame/live.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { When } from '../../parts/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { EndpointFields } from './endpoint-fields.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { creation, faultsInEndpoint, isEveryType, noEndpoint } from './endpoint-values.ts';
import { ShownSecret } from './shown-secret.tsx';
import { say } from './webhooks-texts.ts';

/** As many as the service lets a seller have. */
const most = 5;

/** Where the seller's systems hear what happens. */
export function Webhooks() {
  const endpoints = useList('listWebhookEndpoints', {});
  const [made, setMade] = useState<{ secret: string; url: string }>();
  return (
    <Screen title={say.webhooks} lead={say.lead}>
      {made && <ShownSecret value={made.secret} url={made.url} onDone={() => setMade(undefined)} />}
      <Loaded of={endpoints}>
        {(rows) => (
          <>
            {rows.length === 0 ? <Empty text={say.none} /> : <Endpoints rows={rows} />}
            <section class="card">
              <h2>{say.add}</h2>
              {rows.length < most ? <NewEndpoint onMade={setMade} /> : <p>{say.full}</p>}
            </section>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

const Endpoints = ({ rows }: { rows: readonly WebhookEndpoint[] }) => (
  <DataTable
    label={say.webhooks}
    rows={rows}
    idOf={({ id }) => id}
    columns={[
      {
        name: say.url,
        of: ({ id, url }) => (
          <a href={`/console/webhooks/${id}`}>
            <SellerText text={url} />
          </a>
        ),
      },
      { name: say.description, of: ({ description = '' }) => <SellerText text={description} /> },
      {
        name: say.events,
        of: ({ event_types }) => (isEveryType(event_types) ? say.allEvents : event_types.map((type) => wordOf('event', type)).join(', ')),
      },
      { name: say.state, of: (endpoint) => <EndpointState of={endpoint} /> },
      { name: say.created, of: ({ created_at }) => <When at={created_at} /> },
    ]}
  />
);

function NewEndpoint({ onMade }: { onMade: (made: { secret: string; url: string }) => void }) {
  const edit = useEdit({ key: 'webhook', base: noEndpoint });
  const { send, failure } = useSend('createWebhookEndpoint', {
    done({ secret, url }) {
      onMade({ secret, url });
      announce(say.made);
    },
  });
  return (
    <Form
      operation="createWebhookEndpoint"
      edit={edit}
      submit={say.create}
      check={faultsInEndpoint}
      failure={failure}
      what={say.notCreated}
      onSend={async (values) => ((await send({ body: creation(values) })) ? { values: noEndpoint } : undefined)}
    >
      <EndpointFields />
    </Form>
  );
}
