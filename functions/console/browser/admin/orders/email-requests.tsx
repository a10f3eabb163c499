import type { ArgsOf } from '../../api/call.ts';
import { type ItemOf, useList, useRead } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { announce } from '../../frame/live.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { More } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { When } from '../../parts/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import type { Choice, DecisionField } from '../decisions/decision.ts';
import { Decisions } from '../decisions/decisions.tsx';
import { say as sayDecisions } from '../decisions/decisions-texts.ts';
import { IdLink, orderHref } from './order-table.tsx';
import { say } from './orders-texts.ts';

type EmailRequest = ItemOf<'listEmailRequests'>;
type Decision = ArgsOf<'decideEmailRequest'>['body']['decision'];

const note: DecisionField = { name: 'note', label: sayDecisions.note, hint: sayDecisions.noteHint, optional: true, most: 5000 };

const choices: readonly Choice<Decision>[] = [
  { decision: 'approve', effects: [say.approveEffects, say.linksEnd], fields: [note] },
  { decision: 'reject', kind: 'danger', effects: [say.rejectEffects], fields: [note] },
];

const headingId = 'email-requests';

/** What sellers ask for buyers' addresses, each to be decided on. */
export function EmailRequests() {
  const requests = useList('listEmailRequests', {});
  return (
    <section class="stack">
      <h2 id={headingId} tabIndex={-1}>
        {say.requests}
      </h2>
      <p>{say.requestsText}</p>
      <Loaded of={requests}>
        {(items) =>
          items.length === 0 ? (
            <p class="small">{say.noRequests}</p>
          ) : (
            <ul class="plain stack">
              {items.map((request) => (
                <Request key={request.order_id} request={request} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <More of={requests} />
    </section>
  );
}

function Request({ request }: { request: EmailRequest }) {
  const { order_id, seller_id, requested_at, current_masked, wanted_masked } = request;
  // The frame has read it.
  const { body: me } = useRead('getMe', {}, { enabled: false });
  const decide = useSend('decideEmailRequest');
  return (
    <li class="card" data-id={order_id}>
      <Facts
        of={[
          [say.orderId, <IdLink key="order" href={orderHref(order_id)} id={order_id} />],
          [say.seller, <IdLink key="seller" href={`/console/admin/sellers/${seller_id}`} id={seller_id} />],
          [say.requested, <When key="at" at={requested_at} />],
          [say.from, current_masked ? <SellerText key="from" text={current_masked} /> : say.unknown],
          [say.to, <SellerText key="to" text={wanted_masked} />],
        ]}
      />
      <Decisions
        operation="decideEmailRequest"
        target={order_id}
        name={say.request(`…${order_id.slice(-6)}`)}
        own={me?.seller_id === seller_id}
        choices={choices}
        of={decide}
        onDecide={async (decision, { note }) => {
          const reply = await decide.send({ path: { order_id }, body: { decision, ...(note && { note }) } });
          if (!reply) return false;
          announce(say.decided[decision]);
          // The card goes with its request.
          document.getElementById(headingId)?.focus();
          return true;
        }}
      />
    </li>
  );
}
