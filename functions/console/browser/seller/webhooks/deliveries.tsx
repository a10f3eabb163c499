import { useEffect, useRef } from 'preact/hooks';
import type { WebhookEndpoint } from '../../../../../build/client.ts';
import { type ItemOf, type List, refresh, useList } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announce, useAnnouncements } from '../../components/live.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { DateField, TextField } from '../../fields/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { LoadedList } from '../../frame/loaded.tsx';
import { wordOf } from '../../words/words.ts';
import { answerOf, noReplay, pollEvery, replayBody } from './delivery-values.ts';
import { texts } from './webhooks-texts.ts';

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
  // Whoever answers so is sent nothing more: the endpoint is no longer what was read.
  const isGone = endpoint.enabled && (body?.some(({ last_status_code }) => last_status_code === 410) ?? false);
  useEffect(() => {
    if (isGone) refresh();
  }, [isGone]);
  useAnnouncements(
    body &&
      Object.fromEntries(body.map(({ event_id, type, status }) => [event_id, `${wordOf('event', type)}: ${wordOf('delivery', status)}`])),
  );
  return (
    <>
      <section class="stack">
        <h2>{texts.deliveries}</h2>
        <Sent of={deliveries} endpoint={endpoint} onAsked={onAsked} />
      </section>
      <section class="card">
        <h2>{texts.replay}</h2>
        <p class="small">{texts.replayText}</p>
        <Replay endpoint={endpoint} onAsked={onAsked} />
      </section>
    </>
  );
}

/** What was sent, with a test, and each to be sent again. */
function Sent({ of: deliveries, endpoint: { id, enabled }, onAsked }: OfEndpoint & { of: List<ItemOf<'listWebhookDeliveries'>> }) {
  const path = { endpoint_id: id };
  const test = useSend('sendTestEvent', { done: () => onAsked(texts.test) });
  const again = useSend('replayEvents', { done: ({ count }) => onAsked(`${texts.again}: ${count}`) });
  const sendAgain = (event_id: string) => (
    <SendButton
      operation="replayEvents"
      kind="quiet"
      target={event_id}
      label={`${texts.again}: ${event_id}`}
      sending={again.sending}
      onPress={() => void again.send({ path, body: { event_id } })}
    >
      {texts.again}
    </SendButton>
  );
  return (
    <>
      {test.failure && <FailureNotice failure={test.failure} notDone={texts.notTested} onRetry={test.retry} />}
      {again.failure && <FailureNotice failure={again.failure} notDone={texts.notSentAgain} onRetry={again.retry} />}
      <p>
        <SendButton
          operation="sendTestEvent"
          kind="quiet"
          sending={test.sending}
          disabled={!enabled}
          onPress={() => void test.send({ path })}
        >
          {texts.test}
        </SendButton>
      </p>
      <LoadedList of={deliveries} none={<Empty text={texts.none} />}>
        {(rows) => (
          <DataTable
            label={texts.deliveries}
            rows={rows.map((row) => ({ ...row, id: row.event_id }))}
            columns={[
              ...columns,
              {
                name: texts.nextTry,
                of: ({ event_id, status, next_attempt_at }) => {
                  if (!enabled) return false;
                  return status === 'pending' ? next_attempt_at && <When at={next_attempt_at} /> : sendAgain(event_id);
                },
              },
              { name: texts.happened, of: ({ created_at }) => <When at={created_at} /> },
            ]}
          />
        )}
      </LoadedList>
    </>
  );
}

type Delivered = Column<ItemOf<'listWebhookDeliveries'>>;

const columns: readonly [Delivered, ...Delivered[]] = [
  {
    name: texts.event,
    of: ({ event_id, type }) => (
      <>
        {wordOf('event', type)} <code>{event_id}</code>
      </>
    ),
  },
  { name: texts.state, of: ({ status }) => <State of="delivery" value={status} /> },
  { name: texts.answer, of: answerOf },
  { name: texts.attempts, number: true, of: ({ attempts }) => attempts },
];

/** Its sending is its own, or the form would send itself again where one event was refused. */
function Replay({ endpoint: { id }, onAsked }: OfEndpoint) {
  const { send, failure } = useSend('replayEvents', { done: ({ count }) => onAsked(`${texts.again}: ${count}`) });
  const edit = useEdit({ key: `replay:${id}`, base: noReplay });
  return (
    <Form
      operation="replayEvents"
      edit={edit}
      asks
      submit={texts.again}
      failure={failure}
      notDone={texts.notReplayed}
      onSend={async (values) => ((await send({ path: { endpoint_id: id }, body: replayBody(values) })) ? { values: noReplay } : undefined)}
    >
      <DateField name="since" label={texts.since} optional />
      <TextField name="event_id" label={texts.eventId} type="search" optional />
    </Form>
  );
}
