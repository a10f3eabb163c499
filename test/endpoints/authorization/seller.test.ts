import { afterAll, beforeAll } from '@jest/globals';
import { type Market, startMarket } from '../../support/scenes/marketplace.ts';
import { describeEndpoints } from './matrix.ts';

let market: Market;
beforeAll(async () => {
  market = await startMarket();
});
afterAll(() => market.stop());

describeEndpoints('seller', () => market);
