import { useRef } from 'preact/hooks';
import type { WebhookEndpoint } from '../../../../../build/client.ts';
import { type ItemOf, type List, useList } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { DateField, TextField } from '../../fields/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { type Column, DataTable, More } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { announce, useNews } from '../../parts/live.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { State } from '../../parts/state.tsx';
import { When } from '../../parts/when.tsx';
import { wordOf } from '../../words/words.ts';
import { answerOf, noReplay, pollEvery, replayBody } from './delivery-values.ts';
import { say } from './webhooks-texts.ts';

interface OfEndpoint {
  endpoint: WebhookEndpoint;
  /** Told what was asked for: it shows a while later. */
  onAsked: (words: string) => void;
}

/** What was sent to an endpoint and how that went; a test; what is sent again. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const asked = useRef(0);
  const onAsked = (words: string) => {
    asked.current = Date.now();
    announce(words);
  };
  const deliveries = useList(
    'listWebhookDeliveries',
    { path: { endpoint_id: endpoint.id } },
    { every: (items) => endpoint.enabled && pollEvery(items, Date.now(), asked.current) },
  );
  const { body } = deliveries;
  useNews(
    body &&
      Object.fromEntries(body.map(({ event_id, type, status }) => [event_id, `${wordOf('event', type)}: ${wordOf('delivery', status)}`])),
  );
  return (
    <>
      <section class="stack">
        <h2>{say.deliveries}</h2>
        <Sent of={deliveries} endpoint={endpoint} onAsked={onAsked} />
        <More of={deliveries} />
      </section>
      <section class="card">
        <h2>{say.replay}</h2>
        <p class="small">{say.replayText}</p>
        <Replay endpoint={endpoint} onAsked={onAsked} />
      </section>
    </>
  );
}

/** What was sent, with a test, and each to be sent again. */
function Sent({ of: deliveries, endpoint: { id, enabled }, onAsked }: OfEndpoint & { of: List<ItemOf<'listWebhookDeliveries'>> }) {
  const path = { endpoint_id: id };
  const test = useSend('sendTestEvent', { done: () => onAsked(say.test) });
  const again = useSend('replayEvents', { done: ({ count }) => onAsked(`${say.again}: ${count}`) });
  const sendAgain = (event_id: string) => (
    <SendButton
      operation="replayEvents"
      kind="quiet"
      target={event_id}
      label={`${say.again}: ${event_id}`}
      sending={again.sending}
      onPress={() => void again.send({ path, body: { event_id } })}
    >
      {say.again}
    </SendButton>
  );
  return (
    <>
      {test.failure && <FailureNotice failure={test.failure} notDone={say.notTested} onRetry={test.again} />}
      {again.failure && <FailureNotice failure={again.failure} notDone={say.notSentAgain} onRetry={again.again} />}
      <p>
        <SendButton
          operation="sendTestEvent"
          kind="quiet"
          sending={test.sending}
          disabled={!enabled}
          onPress={() => void test.send({ path })}
        >
          {say.test}
        </SendButton>
      </p>
      <Loaded of={deliveries}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty text={say.none} />
          ) : (
            <DataTable
              label={say.deliveries}
              rows={rows}
              idOf={({ event_id }) => event_id}
              columns={[
                ...columns,
                {
                  name: say.nextTry,
                  of: ({ event_id, status, next_attempt_at }) => {
                    if (!enabled) return false;
                    return status === 'pending' ? next_attempt_at && <When at={next_attempt_at} /> : sendAgain(event_id);
                  },
                },
                { name: say.happened, of: ({ created_at }) => <When at={created_at} /> },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}

type Delivered = Column<ItemOf<'listWebhookDeliveries'>>;

const columns: readonly [Delivered, ...Delivered[]] = [
  {
    name: say.event,
    of: ({ event_id, type }) => (
      <>
        {wordOf('event', type)} <code>{event_id}</code>
      </>
    ),
  },
  { name: say.state, of: ({ status }) => <State of="delivery" value={status} /> },
  { name: say.answer, of: answerOf },
  { name: say.attempts, number: true, of: ({ attempts }) => attempts },
];

/** Its sending is its own, or the form would send itself again where one event was refused. */
function Replay({ endpoint: { id }, onAsked }: OfEndpoint) {
  const { send, failure } = useSend('replayEvents', { done: ({ count }) => onAsked(`${say.again}: ${count}`) });
  const edit = useEdit({ key: `replay:${id}`, base: noReplay });
  return (
    <Form
      operation="replayEvents"
      edit={edit}
      asks
      submit={say.again}
      failure={failure}
      notDone={say.notReplayed}
      onSend={async (values) => ((await send({ path: { endpoint_id: id }, body: replayBody(values) })) ? { values: noReplay } : undefined)}
    >
      <DateField name="since" label={say.since} optional />
      <TextField name="event_id" label={say.eventId} type="search" optional />
    </Form>
  );
}
