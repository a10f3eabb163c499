import { useList, useRead } from '../../api/reads.ts';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { ordersPath } from '../../orders/order-facts.tsx';
import { OrderTable } from '../../orders/order-table.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { isEligible } from '../account/seller-values.ts';
import { useProducts } from '../orders/product-names.ts';
import { AttentionList } from './attention.tsx';
import { texts } from './home-texts.ts';
import { TaskList } from './task-list.tsx';

/** What a seller sees first: what needs them, how far they are, and what sold last. */
export function HomeScreen() {
  const overview = useRead('getOverview', {});
  const sales = useList('listOrders', { query: { limit: 5 } });
  const { products, nameOf, loading } = useProducts();
  const isNew = overview.body !== undefined && overview.body.seller === undefined;
  return (
    <Screen title={isNew ? texts.welcome : texts.title} lead={isNew && texts.welcomeLead}>
      {/* Names that came later would push what is there about. */}
      <Loaded of={loading ? { ...overview, body: undefined } : overview}>
        {({ seller, tasks, attention }) => (
          <>
            <Closed status={seller?.internal_review_status} />
            {attention.length > 0 && (
              <section>
                <h2>{texts.attention}</h2>
                <AttentionList items={attention} products={products} />
              </section>
            )}
            <section>
              <h2>{texts.tasks}</h2>
              <TaskList tasks={tasks} products={products} isClosed={seller !== undefined && !isEligible(seller)} />
            </section>
            {seller && (
              <section class="stack">
                <h2>{texts.sales}</h2>
                <Loaded of={sales}>
                  {(rows) =>
                    rows.length === 0 ? (
                      <Empty text={texts.noSales} />
                    ) : (
                      <>
                        <OrderTable label={texts.sales} rows={rows} productOf={(id) => <SellerText text={nameOf(id)} />} />
                        <p>
                          <a href={ordersPath}>{texts.allSales}</a>
                        </p>
                      </>
                    )
                  }
                </Loaded>
              </section>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** Why nothing works for a seller that admins closed. */
function Closed({ status }: { status: string | undefined }) {
  if (status !== 'rejected' && status !== 'suspended') return null;
  return <p class="notice bad">{texts.closed[status]}</p>;
}
