import type { SoldOrder } from '../../../../../build/client.ts';
import { useList, useRead } from '../../api/reads.ts';
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
import { OrderBuyer } from './order-buyer.tsx';
import { OrderDevices } from './order-devices.tsx';
import { OrderHistory } from './order-history.tsx';
import { OrderLicense } from './order-license.tsx';
import { isPaid, isUnderWay } from './order-progress.ts';
import { texts } from './orders-texts.ts';
import { useProducts } from './product-names.ts';

/** One sale: what was paid, what the license is worth, its devices, its mails, and what happened to it. */
export function Order() {
  const order_id = useParam('order_id');
  return <OneOrder key={order_id} id={order_id} />;
}

function OneOrder({ id }: { id: string }) {
  const path = { order_id: id };
  const order = useRead(
    'getSoldOrder',
    { path, query: { limit: 100 } },
    { every: (body) => body !== undefined && isUnderWay(body) && 5_000 },
  );
  const history = useList('listOrderHistory', { path, query: { limit: 100 } });
  const { products, nameOf } = useProducts();
  const { body } = order;
  useAnnouncements(body && newsOf(body));
  return (
    <Screen
      title={texts.order}
      back={{ href: '/console/orders', text: texts.orders }}
      lead={
        <>
          {body && <State of="order" value={body.status} />} <code>{id}</code>
        </>
      }
    >
      <Loaded of={order}>
        {(sale) => (
          <>
            <section>
              <Facts
                of={[
                  [
                    texts.product,
                    <a href={`/console/products/${sale.product_id}`}>
                      <SellerText text={nameOf(sale.product_id)} />
                    </a>,
                  ],
                  ...boughtFacts(sale),
                  [texts.amount, formatPrice(sale.amount, sale.currency)],
                  [texts.payment, wordOf('payment', sale.payment_status)],
                  [texts.ordered, <When at={sale.created_at} />],
                  [texts.paid, sale.paid_at && <When at={sale.paid_at} />],
                ]}
              />
            </section>
            {sale.license ? (
              <>
                <OrderLicense orderId={id} license={sale.license} history={history.body ?? []} />
                <OrderDevices orderId={id} license={sale.license} next={sale.next_cursor} />
              </>
            ) : (
              <p>
                <Unlicensed sale={sale} product={products.find((one) => one.id === sale.product_id)} />
              </p>
            )}
            {isPaid(sale) && <OrderBuyer sale={sale} />}
            <OrderHistory of={history} currency={sale.currency} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** Why there is no license. */
function Unlicensed({ sale, product }: { sale: SoldOrder; product: { id: string; license_issuance_mode: string } | undefined }) {
  if (!isPaid(sale)) return texts.unpaid;
  if (sale.parent_order_id) return texts.added;
  if (product?.license_issuance_mode !== 'imported_csv') return texts.issuing;
  return (
    <>
      {texts.waitsForCode} <a href={`/console/products/${product.id}/codes`}>{texts.toCodes}</a>
    </>
  );
}

/** What may change by itself, in words. */
const newsOf = ({ status, license, completion_mail: mail }: SoldOrder) => ({
  order: wordOf('order', status),
  license: license ? `${texts.license}: ${wordOf('license', license.status)}` : '',
  mail: mail ? `${texts.mail}: ${wordOf('mail', mail.state)}` : '',
});
