import type { Product } from '../../../../../build/client.ts';
import { useLocation } from '../../frame/location.ts';
import { productPath } from './product.ts';
import { texts } from './products-texts.ts';

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
