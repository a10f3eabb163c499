import type { ComponentChildren } from 'preact';
import type { Product } from '../../../../../build/client.ts';
import { useRead } from '../../api/reads.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { useLocation, useParam } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { productPath } from './product.ts';
import { texts } from './products-texts.ts';

/** A screen of one part of a product. */
export function ProductPart({ title, children }: { title: string; children: (product: Product) => ComponentChildren }) {
  const product = useRead('getProduct', { path: { product_id: useParam('product_id') } });
  return (
    <Screen
      title={title}
      lead={product.body && <SellerText text={product.body.name} />}
      back={{ href: '/console/products', text: texts.products }}
    >
      <Loaded of={product}>
        {(body) => (
          <>
            <ProductTabs product={body} />
            {children(body)}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** The ways between the screens of one product. */
export function ProductTabs({ product: { id, license_issuance_mode } }: { product: Product }) {
  const { path } = useLocation();
  const home = productPath(id);
  const tabs: [href: string, text: string][] = [
    [home, texts.tabs.product],
    [`${home}/files`, texts.tabs.files],
    ...(license_issuance_mode === 'imported_csv' ? [[`${home}/codes`, texts.tabs.codes] satisfies [string, string]] : []),
    [`${home}/releases`, texts.tabs.releases],
    [`${home}/discounts`, texts.tabs.discounts],
  ];
  return (
    <nav class="tabs" aria-label={texts.tabs.product}>
      <ul>
        {tabs.map(([href, text]) => (
          <li key={href}>
            <a href={href} aria-current={path === href || (href !== home && path.startsWith(`${href}/`)) ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
