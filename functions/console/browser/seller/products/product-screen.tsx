import type { Product } from '../../../../../build/client.ts';
import { call } from '../../api/call.ts';
import { storeReply, useRead } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
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
              <Details key={body.id} product={body} />
            </section>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function Details({ product }: { product: Product }) {
  const path = { product_id: product.id };
  const keep = (body: Product) => storeReply('getProduct', { path }, body);
  const { send, failure } = useSend('updateProduct', { done: keep });
  return (
    <ProductForm
      product={product}
      currencies={useStore(config)?.currencies ?? []}
      failure={failure}
      onSend={(body, revision) => send({ path, body: { ...body, ...(revision !== undefined && { expected_revision: revision }) } })}
      reread={async () => {
        const body = await call('getProduct', { path });
        keep(body);
        return body;
      }}
    />
  );
}
