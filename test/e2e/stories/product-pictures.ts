import { expect, test } from '@jest/globals';
import { accessibilityFaults, openPage } from '../../support/http/browser.ts';
import { blue, jpeg, png, red } from '../../support/samples/pictures.ts';
import { offerProduct, publishFile } from '../../support/scenes/stack-harness.ts';
import type { Shop } from './shop.ts';

export function describeProductPictures(shop: () => Shop): void {
  test('pictures are encoded by the deployed bundle, seen on the page in their places, and gone when they are withdrawn', async () => {
    const { browser, harness } = shop();
    if (!browser) throw new Error('There is no browser.');
    const { id, slug } = await offerProduct(harness, { name: 'Pictured' });
    const wide = png(1200, 300, { paint: (x) => (x < 600 ? blue : red) });
    const fileId = await publishFile(harness, id, 'wide.png', wide, { content_type: 'image/png', purpose: 'image' });
    await publishFile(harness, id, 'tall.jpg', jpeg(90, 160), { content_type: 'image/jpeg', purpose: 'image' });

    for (const [viewport, colorScheme] of [
      [{ width: 320, height: 640 }, 'light'],
      [{ width: 1280, height: 900 }, 'dark'],
    ] as const) {
      const { page, complaints } = await openPage(browser, { viewport, colorScheme, javaScriptEnabled: true });
      await page.goto(`${harness.baseUrl}/p/${slug}`);
      await page.locator('.pictures li:last-child').scrollIntoViewIfNeeded();
      await page.waitForFunction(
        `[...document.querySelectorAll('.pictures img')].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)`,
      );
      const seen = await page.evaluate(
        `[...document.querySelectorAll('.pictures img')].map((image) => ({ complete: image.complete, wide: image.naturalWidth, shape: image.width / image.height, fits: image.getBoundingClientRect().right <= innerWidth }))`,
      );
      expect(seen).toEqual([
        { complete: true, wide: 1200, shape: expect.closeTo(4, 0), fits: true },
        // Cropped to the shape of every picture but the first, tall as it is.
        { complete: true, wide: 90, shape: expect.closeTo(4 / 3, 1), fits: true },
      ]);
      const heights = await page.evaluate(`[...document.querySelectorAll('.pictures img')].map(({ height }) => height / innerHeight)`);
      expect(Math.max(...(heights as number[]))).toBeLessThan(0.75);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      if (colorScheme === 'dark') expect(await accessibilityFaults(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    }

    const { images } = await harness.call('GET', `/v1/public/products/${slug}`);
    expect(images.map(({ width }: { width: number }) => width)).toEqual([1200, 90]);
    const reply = await fetch(images[0].url);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(
      Buffer.from(await reply.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    await harness.call('POST', `/v1/products/${id}/files/${fileId}/withdraw`, { as: 'seller' });
    expect((await fetch(images[0].url)).status).toBe(404);
  });
}
