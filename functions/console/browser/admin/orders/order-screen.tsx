import type { BodyOf } from '../../api/call.ts';
import { useRead } from '../../api/reads.ts';
import { Facts } from '../../components/facts.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { orderFacts, ordersPath, useOrderNews } from '../../orders/order-facts.tsx';
import { texts as ordersTexts } from '../../orders/orders-texts.ts';
import { formatPrice } from '../../words/formats.ts';
import { AuditOf } from '../audit/audit-of.tsx';
import { IdLink } from '../audit/id-link.tsx';
import { OrderBuyer } from './order-buyer.tsx';
import { OrderLicense } from './order-license.tsx';
import { texts } from './orders-texts.ts';

type Detail = BodyOf<'getOrder'>;

const isUnderWay = ({ status, completion_mail, license_id, parent_order_id, waiting_since }: Detail): boolean =>
  completion_mail?.state === 'pending' ||
  (status === 'paid' && license_id === undefined && parent_order_id === undefined && waiting_since === undefined);

/** An order as the provider reported it, its license and devices, its mails, and what was recorded. */
export function OrderScreen() {
  const id = useParam('order_id');
  const order = useRead('getOrder', { path: { order_id: id } }, { every: (body) => body !== undefined && isUnderWay(body) && 3_000 });
  useOrderNews(order.body);
  return (
    <Screen
      title={texts.order(id.slice(-6))}
      back={{ href: ordersPath, text: ordersTexts.orders }}
      lead={order.body && <State of="order" value={order.body.status} />}
    >
      <Loaded of={order}>
        {(detail) => (
          <>
            <Payment detail={detail} />
            {detail.license_id ? <OrderLicense id={detail.license_id} /> : <p>{noLicenseText(detail)}</p>}
            {detail.paid_at && <OrderBuyer order={detail} />}
            <AuditOf id={id} other={detail.license_id} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** Why it has no license. */
function noLicenseText({ paid_at, parent_order_id }: Detail): string {
  if (!paid_at) return texts.unpaid;
  return parent_order_id ? ordersTexts.added : texts.waitsForLicense;
}

function Payment({ detail }: { detail: Detail }) {
  const { currency, payment_facts: facts, seller_id } = detail;
  const when = (at: string | undefined) => at && <When at={at} />;
  return (
    <section class="stack">
      <h2>{ordersTexts.payment}</h2>
      <Facts
        of={[
          [ordersTexts.orderId, <code key="id">{detail.id}</code>],
          [texts.seller, <IdLink key="seller" href={`/console/admin/sellers/${seller_id}`} id={seller_id} />],
          ...orderFacts(detail, detail.product_name),
          [texts.fee, formatPrice(detail.application_fee_amount, currency)],
          [texts.processing, when(facts.processing_at)],
          [texts.asyncFailed, when(facts.async_failed_at)],
          [texts.declined, when(facts.declined_at)],
          [texts.expired, when(facts.expired_at)],
          [texts.expires, facts.paid_at === undefined && facts.expired_at === undefined && when(detail.expires_at)],
          [texts.refunded, facts.refunded_amount > 0 && formatPrice(facts.refunded_amount, currency)],
          [
            texts.disputes,
            facts.disputes.length > 0 && (
              <ul class="plain">
                {facts.disputes.map(({ id, state, at }) => (
                  <li key={id}>
                    <State of="dispute" value={state} /> <When at={at} /> <code>{id}</code>
                  </li>
                ))}
              </ul>
            ),
          ],
          [texts.waiting, when(detail.waiting_since)],
          [texts.session, detail.checkout_session_id && <code>{detail.checkout_session_id}</code>],
          [texts.intent, detail.payment_intent_id && <code>{detail.payment_intent_id}</code>],
        ]}
      />
    </section>
  );
}
