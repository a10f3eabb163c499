import { useState } from 'preact/hooks';
import type { Product } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { WordSelect } from '../../components/select.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { LoadedList } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { formatPrice } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { productPath } from './product.ts';
import { texts } from './products-texts.ts';

const statuses = ['draft', 'pending_review', 'approved', 'rejected', 'suspended'] as const;

/** All products of the seller. */
export function ProductListScreen() {
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const list = useList('listProducts', { query: status ? { status } : {} });
  const create = (
    <a class="button" href="/console/products/new">
      {texts.create}
    </a>
  );
  return (
    <Screen title={texts.products} lead={texts.lead} actions={create}>
      <div class="stack">
        <WordSelect name="status" label={texts.state} of="product" words={statuses} value={status} onChange={setStatus} />
        <LoadedList
          of={list}
          none={
            <Empty text={status ? texts.emptyOf : texts.empty} next={!status && <a href="/console/products/new">{texts.emptyNext}</a>} />
          }
        >
          {(products) => <Products of={products} />}
        </LoadedList>
      </div>
    </Screen>
  );
}

const Products = ({ of: products }: { of: readonly Product[] }) => (
  <DataTable
    label={texts.products}
    rows={products}
    columns={[
      {
        name: texts.name,
        of: ({ id, name }) => (
          <a href={productPath(id)}>
            <SellerText text={name} />
          </a>
        ),
      },
      { name: texts.price, number: true, of: ({ price_amount, currency }) => formatPrice(price_amount, currency) },
      {
        name: texts.state,
        of: ({ status, pending }) => (
          <>
            <State of="product" value={status} />{' '}
            {pending && (
              <span class="small">
                {texts.pending}: {wordOf('product', pending.status)}
              </span>
            )}
          </>
        ),
      },
      {
        name: texts.sale,
        of: ({ on_sale, sale_blockers }) =>
          on_sale ? texts.onSale : sale_blockers.map((blocker) => wordOf('sale_blocker', blocker)).join(', '),
      },
      { name: texts.changed, of: ({ updated_at }) => <When at={updated_at} ago /> },
    ]}
  />
);
