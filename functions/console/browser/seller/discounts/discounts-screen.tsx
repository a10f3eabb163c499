import type { Discount, Product } from '../../../../../build/client.ts';
import { useList } from '../../api/reads.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { When } from '../../components/when.tsx';
import { LoadedList } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { formatCount, formatPrice } from '../../words/formats.ts';
import { ProductPart } from '../products/product-tabs.tsx';
import { texts as productsTexts } from '../products/products-texts.ts';
import { DiscountForm } from './discount-form.tsx';
import { discountState } from './discount-values.ts';
import { texts } from './discounts-texts.ts';

const titleId = 'new-discount';

/** The discounts of a product: what they take off, how often they were used, and the way to another one. */
export function DiscountsScreen() {
  const path = { product_id: useParam('product_id') };
  const discounts = useList('listDiscounts', { path, query: { limit: 100 } });
  return (
    <ProductPart title={productsTexts.tabs.discounts}>
      {(body) => (
        <>
          <p>{texts.lead}</p>
          <LoadedList of={discounts} none={<Empty text={texts.none} />}>
            {(rows) => <Discounts product={body} rows={rows} />}
          </LoadedList>
          <section class="card">
            <h2 id={titleId} tabIndex={-1}>
              {texts.make}
            </h2>
            {body.status === 'suspended' ? <p class="notice warn">{texts.suspended}</p> : <DiscountForm key={body.id} product={body} />}
          </section>
        </>
      )}
    </ProductPart>
  );
}

function Discounts({ product, rows }: { product: Product; rows: readonly Discount[] }) {
  const standing = (discount: Discount) => discountState(discount, product.currency, new Date());
  return (
    <DataTable
      label={productsTexts.tabs.discounts}
      rows={rows}
      columns={[
        {
          name: texts.code,
          of: ({ code, description }) => (
            <>
              <code>{code}</code>
              {description && (
                <small class="second">
                  <SellerText text={description} />
                </small>
              )}
            </>
          ),
        },
        {
          name: texts.off,
          number: true,
          of: ({ percent_off: percent, amount_off: amount = 0, currency }) => (percent ? `${percent} %` : formatPrice(amount, currency)),
        },
        {
          name: texts.window,
          of: ({ starts_at, ends_at }) => (
            <>
              <When at={starts_at} /> – {ends_at ? <When at={ends_at} /> : texts.for}
            </>
          ),
        },
        { name: texts.redeemed, of: (discount) => <a href={`/console/orders?discount_id=${discount.id}`}>{usesOf(discount)}</a> },
        {
          name: texts.state,
          of: (discount) => {
            const state = standing(discount);
            return <span class={state === 'holds' ? 'state good' : 'state'}>{texts.states[state]}</span>;
          },
        },
        {
          name: texts.end,
          of: (discount) => !['ended', 'past'].includes(standing(discount)) && <End discount={discount} productId={product.id} />,
        },
      ]}
    />
  );
}

const End = ({ discount: { id, code }, productId }: { discount: Discount; productId: string }) => (
  <AskFirst
    operation="endDiscount"
    args={() => ({ path: { product_id: productId, discount_id: id } })}
    target={id}
    ask={texts.end}
    label={`${texts.end}: ${code}`}
    title={`${texts.end}: ${code}`}
    notDone={texts.notEnded}
    focusAfter={titleId}
  >
    <p>{texts.endText}</p>
  </AskFirst>
);

function usesOf({ redeemed, reserved, max_redemptions: most }: Discount): string {
  return most === undefined ? formatCount(redeemed) : texts.of(formatCount(redeemed), formatCount(reserved), formatCount(most));
}
