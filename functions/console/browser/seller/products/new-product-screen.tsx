import { useRead } from '../../api/reads.ts';
import { Empty } from '../../components/empty.tsx';
import { config } from '../../frame/config.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { navigate } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { useStore } from '../../store/use-store.ts';
import { productPath } from './product.ts';
import { NewProductForm } from './product-form.tsx';
import { texts } from './products-texts.ts';

/** Drafts a product. */
export function NewProductScreen() {
  const seller = useRead('getOwnSeller', {});
  const currencies = useStore(config)?.currencies ?? [];
  return (
    <Screen title={texts.create} lead={texts.newLead} back={{ href: '/console/products', text: texts.products }}>
      {seller.failure?.code === 'seller_not_found' ? (
        <Empty text={texts.noSeller} next={<a href="/console/seller">{texts.noSellerNext}</a>} />
      ) : (
        <Loaded of={seller}>
          {({ support_email }) => (
            <NewProductForm currencies={currencies} supportEmail={support_email ?? ''} onMade={({ id }) => navigate(productPath(id))} />
          )}
        </Loaded>
      )}
    </Screen>
  );
}
