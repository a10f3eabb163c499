import type { EventDelivery, WebhookEndpoint } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { DateField, TextField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { announce } from '../../frame/live.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { DataTable, More } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { State } from '../../parts/state.tsx';
import { When } from '../../parts/when.tsx';
import { wordOf } from '../../words/words.ts';
import { answerOf, faultsInReplay, noReplay, pollEvery, replayBody } from './delivery-values.ts';
import { useNews } from './use-news.ts';
import { say } from './webhooks-texts.ts';

/** What was sent to an endpoint and how that went; a test; what is sent again. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const path = { endpoint_id: endpoint.id };
  const deliveries = useList('listWebhookDeliveries', { path }, { every: (items) => endpoint.enabled && pollEvery(items, Date.now()) });
  const test = useSend('sendTestEvent', { done: () => announce(say.tested) });
  const replay = useSend('replayEvents', { done: ({ count }) => announce(say.replayed(count)) });
  useNews(deliveries.body);
  return (
    <>
      <section class="stack">
        <h2>{say.deliveries}</h2>
        {test.failure && <FailureNotice failure={test.failure} what={say.notTested} />}
        <p class="buttons">
          <SendButton
            operation="sendTestEvent"
            kind="quiet"
            sending={test.sending}
            disabled={!endpoint.enabled}
            onPress={() => void test.send({ path })}
          >
            {say.test}
          </SendButton>
          {!endpoint.enabled && <span class="small">{say.testOff}</span>}
        </p>
        <Loaded of={deliveries}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty text={say.noDeliveries} />
            ) : (
              <DataTable
                label={say.deliveries}
                rows={rows}
                idOf={({ event_id }) => event_id}
                columns={[
                  { name: say.event, of: Event },
                  { name: say.state, of: ({ status }) => <State of="delivery" value={status} /> },
                  { name: say.answer, of: answerOf },
                  { name: say.attempts, number: true, of: ({ attempts }) => attempts },
                  { name: say.nextTry, of: ({ next_attempt_at }) => next_attempt_at && endpoint.enabled && <When at={next_attempt_at} /> },
                  { name: say.happened, of: ({ created_at }) => <When at={created_at} /> },
                  {
                    name: say.again,
                    of: ({ event_id, status }) =>
                      status !== 'pending' &&
                      endpoint.enabled && (
                        <SendButton
                          operation="replayEvents"
                          kind="quiet"
                          target={event_id}
                          sending={replay.sending}
                          onPress={() => void replay.send({ path, body: { event_id } })}
                        >
                          {say.again}
                        </SendButton>
                      ),
                  },
                ]}
              />
            )
          }
        </Loaded>
        <More of={deliveries} />
        {replay.failure && <FailureNotice failure={replay.failure} what={say.notReplayed} />}
      </section>
      <section class="card">
        <h2>{say.replay}</h2>
        <p class="small">{endpoint.enabled ? say.replayText : say.testOff}</p>
        {endpoint.enabled && <Replay endpointId={endpoint.id} />}
      </section>
    </>
  );
}

const Event = ({ event_id, type }: EventDelivery) => (
  <>
    {wordOf('event', type)}
    <br />
    <code>{event_id}</code>
  </>
);

function Replay({ endpointId }: { endpointId: string }) {
  const edit = useEdit({ key: `replay:${endpointId}`, base: noReplay });
  const { send, failure } = useSend('replayEvents', { done: ({ count }) => announce(say.replayed(count)) });
  return (
    <Form
      operation="replayEvents"
      target={endpointId}
      edit={edit}
      asks
      submit={say.again}
      check={faultsInReplay}
      failure={failure}
      what={say.notReplayed}
      onSend={async (values) =>
        (await send({ path: { endpoint_id: endpointId }, body: replayBody(values) })) ? { values: noReplay } : undefined
      }
    >
      <DateField name="since" label={say.since} optional />
      <TextField name="event_id" label={say.eventId} type="search" optional />
    </Form>
  );
}
