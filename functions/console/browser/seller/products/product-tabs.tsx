import type { Product } from '../../../../../build/client.ts';
import { useLocation } from '../../frame/location.ts';
import { productPath } from './product.ts';
import { say } from './products-texts.ts';

/** The ways between the screens of one product. */
export function ProductTabs({ product: { id, license_issuance_mode } }: { product: Product }) {
  const { path } = useLocation();
  const home = productPath(id);
  const tabs: [href: string, text: string][] = [
    [home, say.tabs.product],
    [`${home}/files`, say.tabs.files],
    ...(license_issuance_mode === 'imported_csv' ? [[`${home}/codes`, say.tabs.codes] satisfies [string, string]] : []),
    [`${home}/releases`, say.tabs.releases],
    [`${home}/discounts`, say.tabs.discounts],
  ];
  return (
    <nav class="tabs" aria-label={say.tabs.product}>
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
