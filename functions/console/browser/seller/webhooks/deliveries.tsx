import { useRef } from 'preact/hooks';
import type { WebhookEndpoint } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { DateField, TextField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { announce, useNews } from '../../frame/live.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { DataTable, More } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { State } from '../../parts/state.tsx';
import { When } from '../../parts/when.tsx';
import { wordOf } from '../../words/words.ts';
import { answerOf, noReplay, pollEvery, replayBody } from './delivery-values.ts';
import { say } from './webhooks-texts.ts';

/** What was sent to an endpoint and how that went; a test; what is sent again. */
export function Deliveries({ endpoint: { id, enabled } }: { endpoint: WebhookEndpoint }) {
  const path = { endpoint_id: id };
  // What was asked for shows a while later.
  const asked = useRef(0);
  const ask = (words: string) => {
    asked.current = Date.now();
    announce(words);
  };
  const deliveries = useList(
    'listWebhookDeliveries',
    { path },
    { every: (items) => enabled && pollEvery(items, Date.now(), asked.current) },
  );
  const test = useSend('sendTestEvent', { done: () => ask(say.test) });
  const told = { done: ({ count }: { count: number }) => ask(`${say.again}: ${count}`) };
  const replay = useSend('replayEvents', told);
  // Its own, or the form would send itself again where one event was refused.
  const one = useSend('replayEvents', told);
  const edit = useEdit({ key: `replay:${id}`, base: noReplay });
  const { body } = deliveries;
  useNews(
    body &&
      Object.fromEntries(body.map(({ event_id, type, status }) => [event_id, `${wordOf('event', type)}: ${wordOf('delivery', status)}`])),
  );
  return (
    <>
      <section class="stack">
        <h2>{say.deliveries}</h2>
        {test.failure && <FailureNotice failure={test.failure} what={say.test} onRetry={test.again} />}
        {one.failure && <FailureNotice failure={one.failure} what={say.again} onRetry={one.again} />}
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
                  {
                    name: say.nextTry,
                    of: ({ event_id, status, next_attempt_at }) =>
                      enabled &&
                      (status === 'pending' ? (
                        next_attempt_at && <When at={next_attempt_at} />
                      ) : (
                        <SendButton
                          operation="replayEvents"
                          kind="quiet"
                          target={event_id}
                          label={`${say.again}: ${event_id}`}
                          sending={one.sending}
                          onPress={() => void one.send({ path, body: { event_id } })}
                        >
                          {say.again}
                        </SendButton>
                      )),
                  },
                  { name: say.happened, of: ({ created_at }) => <When at={created_at} /> },
                ]}
              />
            )
          }
        </Loaded>
        <More of={deliveries} />
      </section>
      <section class="card">
        <h2>{say.replay}</h2>
        <p class="small">{say.replayText}</p>
        <Form
          operation="replayEvents"
          edit={edit}
          asks
          submit={say.again}
          failure={replay.failure}
          what={say.again}
          onSend={async (values) => ((await replay.send({ path, body: replayBody(values) })) ? { values: noReplay } : undefined)}
        >
          <DateField name="since" label={say.since} optional />
          <TextField name="event_id" label={say.eventId} type="search" optional />
        </Form>
      </section>
    </>
  );
}
