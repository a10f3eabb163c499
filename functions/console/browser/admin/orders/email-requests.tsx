import { useEffect, useRef, useState } from 'preact/hooks';
import type { ArgsOf } from '../../api/call.ts';
import { type ItemOf, useList, useRead } from '../../api/reads.ts';
import { type Send, useSend } from '../../api/sends.ts';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announce } from '../../components/live.tsx';
import { When } from '../../components/when.tsx';
import { LoadedList } from '../../frame/loaded.tsx';
import { orderPath } from '../../orders/order-facts.tsx';
import { texts as ordersTexts } from '../../orders/orders-texts.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { IdLink } from '../audit/id-link.tsx';
import { type Choice, note } from '../decisions/decision.ts';
import { Decisions } from '../decisions/decisions.tsx';
import { texts as decisionsTexts } from '../decisions/decisions-texts.ts';
import { texts } from './orders-texts.ts';

type EmailRequest = ItemOf<'listEmailRequests'>;
type Decision = ArgsOf<'decideEmailRequest'>['body']['decision'];

const choices: readonly Choice<Decision>[] = [
  { decision: 'approve', effects: [texts.approveEffects, texts.linksEnd], fields: [note] },
  { decision: 'reject', kind: 'danger', effects: [texts.rejectEffects], fields: [note] },
];

/** What sellers ask for buyers' addresses, each to be decided on. */
export function EmailRequests() {
  const requests = useList('listEmailRequests', {});
  // One of them is decided on at a time; what came of it is told also when its card is gone.
  const decide = useSend('decideEmailRequest');
  const [asked, setAsked] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const count = requests.body?.length ?? 0;
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) heading.current?.focus();
    before.current = count;
  }, [count]);
  const isGone = !requests.body?.some(({ order_id }) => order_id === asked);
  return (
    <section class="stack">
      <h2 ref={heading} tabIndex={-1}>
        {texts.requests}
      </h2>
      <p>{texts.requestsText}</p>
      {decide.failure && isGone && <FailureNotice failure={decide.failure} notDone={decisionsTexts.notDecided} />}
      <LoadedList of={requests} none={<p class="small">{texts.noRequests}</p>}>
        {(items) => (
          <ul class="plain stack">
            {items.map((request) => (
              <Request
                key={request.order_id}
                request={request}
                of={asked === request.order_id ? decide : { ...decide, failure: undefined }}
                onDecide={async (body) => {
                  const { order_id } = request;
                  setAsked(order_id);
                  const reply = await decide.send({ path: { order_id }, body });
                  if (reply) announce(texts.decided[body.decision]);
                  return reply !== undefined;
                }}
              />
            ))}
          </ul>
        )}
      </LoadedList>
    </section>
  );
}

function Request({
  request,
  of,
  onDecide,
}: {
  request: EmailRequest;
  of: Pick<Send<'decideEmailRequest'>, 'sending' | 'failure' | 'forget'>;
  onDecide: (body: { decision: Decision; note?: string }) => Promise<boolean>;
}) {
  const { order_id, seller_id, requested_at, current_masked, wanted_masked } = request;
  const { body: me } = useRead('getMe', {});
  return (
    <li class="card" data-id={order_id}>
      <Facts
        of={[
          [ordersTexts.orderId, <IdLink key="order" href={orderPath(order_id)} id={order_id} />],
          [texts.seller, <IdLink key="seller" href={`/console/admin/sellers/${seller_id}`} id={seller_id} />],
          [texts.requested, <When key="at" at={requested_at} />],
          [texts.from, current_masked ? <SellerText key="from" text={current_masked} /> : texts.unknown],
          [texts.to, <SellerText key="to" text={wanted_masked} />],
        ]}
      />
      <Decisions
        operation="decideEmailRequest"
        target={order_id}
        name={texts.request(`…${order_id.slice(-6)}`)}
        own={me?.seller_id === seller_id}
        choices={choices}
        of={of}
        onDecide={onDecide}
      />
    </li>
  );
}
