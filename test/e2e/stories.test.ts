import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { hasBrowser } from '../support/http/browser.ts';
import { describeMailReports } from './stories/mail-reports.ts';
import { describeProductPictures } from './stories/product-pictures.ts';
import { describePurchase } from './stories/purchase.ts';
import { describeSelfService } from './stories/self-service.ts';
import { openShop, type Shop } from './stories/shop.ts';

jest.setTimeout(120_000);

describe('on the local stack', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(hasBrowser);
  });
  afterAll(() => shop?.close());

  describeMailReports(() => shop);
  (hasBrowser ? describe : describe.skip)('in a browser', () => {
    describePurchase(() => shop);
    describeSelfService(() => shop);
    describeProductPictures(() => shop);
  });
});
