import { useEffect, useState } from 'preact/hooks';
import type { Product, PublicProduct } from '../../../../../build/client.ts';
import { hasLive } from '../products/product.ts';
import { picturesByFile } from './file-facts.ts';

/** Where the pictures of a product are that buyers see, by their files, of which so many are approved. Without them the screen lacks nothing but their sight. */
export function usePictures(product: Product, approved: number): ReadonlyMap<string, string> {
  const [pictures, setPictures] = useState<ReadonlyMap<string, string>>(new Map());
  const slug = approved > 0 && hasLive(product) ? product.slug : undefined;
  useEffect(() => {
    if (slug !== undefined) void findPictures(slug).then(setPictures);
  }, [slug, approved]);
  return pictures;
}

/** As anybody may ask: the interface tells a seller of a file, but not where its picture is. */
async function findPictures(slug: string): Promise<ReadonlyMap<string, string>> {
  const reply = await fetch(`/v1/public/products/${encodeURIComponent(slug)}`, { credentials: 'omit' }).catch(() => undefined);
  if (!reply?.ok) return new Map();
  const { images = [] }: PublicProduct = await reply.json();
  return picturesByFile(images);
}
