import type { SoldOrder } from '../../../../../build/client.ts';
import { useList, useRead } from '../../api/reads.ts';
import { Facts } from '../../components/facts.tsx';
import { State } from '../../components/state.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { Devices, DevicesSection } from '../../orders/license-section.tsx';
import { orderFacts, ordersPath, useOrderNews } from '../../orders/order-facts.tsx';
import { texts as ordersTexts } from '../../orders/orders-texts.ts';
import { OrderBuyer } from './order-buyer.tsx';
import { OrderHistory } from './order-history.tsx';
import { OrderLicense } from './order-license.tsx';
import { isPaid, isUnderWay } from './order-progress.ts';
import { texts } from './orders-texts.ts';
import { useProducts } from './product-names.ts';

/** One sale: what was paid, what the license is worth, its devices, its mails, and what happened to it. */
export function Order() {
  const id = useParam('order_id');
  const path = { order_id: id };
  const order = useRead(
    'getSoldOrder',
    { path, query: { limit: 100 } },
    { every: (body) => body !== undefined && isUnderWay(body) && 5_000 },
  );
  const history = useList('listOrderHistory', { path, query: { limit: 100 } });
  const { products, nameOf } = useProducts();
  const { body } = order;
  useOrderNews(body);
  return (
    <Screen
      title={texts.order}
      back={{ href: ordersPath, text: ordersTexts.orders }}
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
              <Facts of={orderFacts(sale, nameOf(sale.product_id))} />
            </section>
            {sale.license ? (
              <>
                <OrderLicense orderId={id} license={sale.license} history={history.body ?? []} />
                <DevicesSection>
                  <SaleDevices sale={sale} />
                </DevicesSection>
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

const SaleDevices = ({ sale: { id, license, next_cursor } }: { sale: SoldOrder }) => (
  <Devices
    devices={license?.activations ?? []}
    // The interface calls them `device 2` in English alone.
    nameOf={({ name }) => texts.device(name.replace(/^device /, ''))}
    operation="releaseSoldActivation"
    argsOf={(activation_id) => ({ path: { order_id: id, activation_id } })}
    next={next_cursor}
    later={(cursor) => <LaterDevices id={id} cursor={cursor} />}
  />
);

function LaterDevices({ id, cursor }: { id: string; cursor: string }) {
  const page = useRead('getSoldOrder', { path: { order_id: id }, query: { limit: 100, cursor } });
  return <Loaded of={page}>{(sale) => <SaleDevices sale={sale} />}</Loaded>;
}

/** Why there is no license. */
function Unlicensed({ sale, product }: { sale: SoldOrder; product: { id: string; license_issuance_mode: string } | undefined }) {
  if (!isPaid(sale)) return texts.unpaid;
  if (sale.parent_order_id) return ordersTexts.added;
  if (product?.license_issuance_mode !== 'imported_csv') return texts.issuing;
  return (
    <>
      {texts.waitsForCode} <a href={`/console/products/${product.id}/codes`}>{texts.toCodes}</a>
    </>
  );
}
