import { useRead } from '../../api/reads.ts';
import { config } from '../../frame/config.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { useStore } from '../../store/use-store.ts';
import { ProductForm } from './product-form.tsx';
import { ProductPreview } from './product-preview.tsx';
import { ProductSale } from './product-sale.tsx';
import { ProductTabs } from './product-tabs.tsx';
import { texts } from './products-texts.ts';

/** One product: how it stands with its review and sale, and all that its seller writes of it. */
export function ProductScreen() {
  const path = { product_id: useParam('product_id') };
  const product = useRead('getProduct', { path });
  const currencies = useStore(config)?.currencies ?? [];
  return (
    <Screen title={product.body?.name ?? texts.tabs.product} back={{ href: '/console/products', text: texts.products }}>
      <Loaded of={product}>
        {(body) => (
          <>
            <ProductTabs product={body} />
            <ProductSale product={body} />
            <ProductPreview product={body} />
            <section>
              <h2>{texts.edit}</h2>
              <ProductForm product={body} currencies={currencies} />
            </section>
          </>
        )}
      </Loaded>
    </Screen>
  );
}
