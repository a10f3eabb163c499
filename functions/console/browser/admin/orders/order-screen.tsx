import type { BodyOf } from '../../api/call.ts';
import { useRead } from '../../api/reads.ts';
import { Facts } from '../../components/facts.tsx';
import { useAnnouncements } from '../../components/live.tsx';
import { boughtFacts } from '../../components/order-facts.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { formatPrice } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { AuditOf } from '../audit/audit-of.tsx';
import { OrderBuyer } from './order-buyer.tsx';
import { OrderLicense } from './order-license.tsx';
import { IdLink } from './order-table.tsx';
import { texts } from './orders-texts.ts';

type Detail = BodyOf<'getOrder'>;

/** An order as the provider reported it, its license and devices, its mails, and what was recorded. */
export function OrderScreen() {
  const order_id = useParam('order_id');
  return <OneOrder key={order_id} id={order_id} />;
}

/** How often is asked what changes by itself. */
const everyMs = 3000;

const isUnderWay = ({ status, completion_mail, license_id, parent_order_id, waiting_since }: Detail): boolean =>
  completion_mail?.state === 'pending' ||
  (status === 'paid' && license_id === undefined && parent_order_id === undefined && waiting_since === undefined);

function OneOrder({ id }: { id: string }) {
  const order = useRead('getOrder', { path: { order_id: id } }, { every: (body) => body !== undefined && isUnderWay(body) && everyMs });
  useAnnouncements(order.body && newsOf(order.body));
  return (
    <Screen
      title={texts.order(id.slice(-6))}
      back={{ href: '/console/admin/orders', text: texts.title }}
      lead={order.body && <State of="order" value={order.body.status} />}
    >
      <Loaded of={order}>
        {(detail) => (
          <>
            <Payment detail={detail} />
            {detail.license_id ? <OrderLicense id={detail.license_id} /> : <p>{noLicenseText(detail)}</p>}
            {detail.paid_at && <OrderBuyer id={id} status={detail.status} mail={detail.completion_mail} />}
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
  return parent_order_id ? texts.added : texts.waitsForLicense;
}

function Payment({ detail }: { detail: Detail }) {
  const { amount, currency, payment_facts: facts, product_id, seller_id } = detail;
  const when = (at: string | undefined) => at && <When at={at} />;
  return (
    <section class="stack">
      <h2>{texts.payment}</h2>
      <Facts
        of={[
          [texts.orderId, <code key="id">{detail.id}</code>],
          [
            texts.product,
            <a key="product" href={`/console/admin/products/${product_id}`}>
              <SellerText text={detail.product_name} />
            </a>,
          ],
          [texts.seller, <IdLink key="seller" href={`/console/admin/sellers/${seller_id}`} id={seller_id} />],
          ...boughtFacts(detail),
          [texts.amount, formatPrice(amount, currency)],
          [texts.fee, formatPrice(detail.application_fee_amount, currency)],
          [texts.payment, <State key="payment" of="payment" value={detail.payment_status} />],
          [texts.ordered, when(detail.created_at)],
          [texts.processing, when(facts.processing_at)],
          [texts.paid, when(facts.paid_at)],
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

/** What may change by itself, in words. */
function newsOf({ status, license_status, completion_mail: mail }: Detail): Record<string, string> {
  return {
    status: wordOf('order', status),
    ...(license_status && { license: `${texts.license}: ${wordOf('license', license_status)}` }),
    ...(mail && { mail: `${texts.mail}: ${wordOf('mail', mail.state)}` }),
  };
}
