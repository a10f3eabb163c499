import { find } from '../dom.ts';

/** Shows the first picture that the product has today: nothing for one that has none, or is not public any more. */
export async function showPicture(slug: string): Promise<void> {
  const place = find('[data-picture]');
  if (!place || place.dataset['picture'] === slug) return;
  place.dataset['picture'] = slug;
  place.replaceChildren();
  const first = await findPicture(slug);
  if (!first || place.dataset['picture'] !== slug) return;
  const picture = document.createElement('img');
  // The name of the product stands beside it.
  Object.assign(picture, { src: first.url, width: first.width, height: first.height, alt: '', className: 'thumbnail' });
  place.replaceChildren(picture);
}

interface ProductImage {
  url: string;
  width: number;
  height: number;
}

/** A purchase is complete without it, so no failure of this is told. */
async function findPicture(slug: string): Promise<ProductImage | undefined> {
  try {
    const response = await fetch(`/v1/public/products/${encodeURIComponent(slug)}`, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    const { images }: { images?: ProductImage[] } = response.ok ? await response.json() : {};
    return images?.[0];
  } catch {
    return undefined;
  }
}
