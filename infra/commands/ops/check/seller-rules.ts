import * as z from 'zod/mini';
import { ApiTokenRecord, isLiveToken, tokenTtl } from '../../../../shared/api-tokens/api-token.ts';
import { LiveApiTokens } from '../../../../shared/api-tokens/api-token-repository.ts';
import {
  apiTokenKey,
  apiTokenOfSellerKey,
  endpointCountKey,
  endpointKey,
  endpointsOfSeller,
  filesOfProduct,
  liveApiTokensKey,
  productKey,
  productOfSellerKey,
  productsOfSeller,
  sellerEventKey,
  sellerKey,
  sellerOfAccountKey,
  sellerOfUserKey,
  slugKey,
  upgradeKey,
} from '../../../../shared/db/keys.ts';
import { idOf } from '../../../../shared/ids.ts';
import { ProductFileRecord, reservedBytes } from '../../../../shared/product-files/product-file.ts';
import { LastDecision, ProductRecord } from '../../../../shared/products/product.ts';
import { productQueueKey } from '../../../../shared/products/product-repository.ts';
import { isOnSale } from '../../../../shared/products/product-states.ts';
import { SellerEvent } from '../../../../shared/seller-events/seller-event.ts';
import { SellerRecord } from '../../../../shared/sellers/seller.ts';
import { sellerQueueKey } from '../../../../shared/sellers/seller-repository.ts';
import { WebhookEndpointRecord } from '../../../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { createRule, idFromKey } from './rule.ts';

const SellerPointer = z.object({ sellerId: idOf('seller') });
const ProductItem = z.object({ id: idOf('product') });

export const sellerRules = {
  sellerKey: createRule({
    schema: SellerRecord,
    key: ({ id }) => sellerKey(id),
    list: async ({ id, createdAt }) => ({ name: 'sellers', at: createdAt, id }),
    queue: sellerQueueKey,
    async *faults({ id, ownerUserId, paymentConnectedAccountId: account, productCount }, read) {
      if ((await read.get(sellerOfUserKey(ownerUserId)))?.['sellerId'] !== id) yield 'is not found by its user';
      if (account !== undefined && (await read.get(sellerOfAccountKey(account)))?.['sellerId'] !== id) yield 'is not found by its account';
      const products = await read.query(productsOfSeller(id));
      if (products.length !== productCount) yield `counts ${productCount} products, and lists ${products.length}`;
    },
  }),
  sellerOfUserKey: createRule({
    schema: SellerPointer,
    id: ({ sellerId }) => sellerId,
    async *faults({ sellerId }, read, { owner }) {
      if ((await read.get(sellerKey(sellerId)))?.['ownerUserId'] !== owner) yield 'is not the seller of the user who leads to it';
    },
  }),
  sellerOfAccountKey: createRule({
    schema: SellerPointer,
    id: ({ sellerId }) => sellerId,
    async *faults({ sellerId }, read, { owner }) {
      if ((await read.get(sellerKey(sellerId)))?.['paymentConnectedAccountId'] !== owner)
        yield 'does not have the account that leads to it';
    },
  }),
  productKey: createRule({
    schema: ProductRecord,
    key: ({ id }) => productKey(id),
    list: async ({ id, createdAt }) => ({ name: 'products', at: createdAt, id }),
    queue: productQueueKey,
    async *faults({ id, sellerId, slug, slugs, status, rejectedAt, pending, upgradesFrom }, read) {
      if (!(await read.get(sellerKey(sellerId)))) yield `is of ${sellerId}, which is not there`;
      if (!(await read.get(productOfSellerKey(sellerId, id)))) yield `is not in the list of ${sellerId}`;
      if (!slugs.includes(slug)) yield 'has a slug that it did not reserve';
      const pointers = await Promise.all(slugs.map((reserved) => read.get(slugKey(reserved))));
      if (pointers.some((pointer) => pointer?.['productId'] !== id)) yield 'is not found by one of its slugs';
      for (const { productId } of upgradesFrom) {
        if (!(await read.get(upgradeKey(productId, id)))) yield `upgrades ${productId}, which does not lead to it`;
      }
      const isRejected = rejectedAt === undefined || !(status === 'pending_review' || isOnSale({ status }));
      if (!isRejected || (pending?.rejectedAt !== undefined && pending.status === 'pending_review'))
        yield 'was handed in again, and is rejected still';
    },
  }),
  lastDecisionKey: createRule({
    schema: LastDecision,
    async *faults(_, read, { owner }) {
      if (!(await read.get(productKey(idFromKey('product', owner))))) yield 'was decided on, and is not there';
    },
  }),
  slugKey: createRule({
    schema: z.object({ productId: idOf('product'), sellerId: idOf('seller') }),
    id: ({ productId }) => productId,
    async *faults({ productId, sellerId }, read, { owner }) {
      const product = await read.get(productKey(productId));
      const slugs = product?.['slugs'];
      if (!Array.isArray(slugs) || !slugs.includes(owner)) yield 'did not reserve a slug that leads to it';
      else if (product?.['sellerId'] !== sellerId) yield `is not of ${sellerId}, as one of its slugs says`;
    },
  }),
  productOfSellerKey: createRule({
    schema: ProductItem,
    key: ({ id }, { owner }) => productOfSellerKey(idFromKey('seller', owner), id),
    async *faults({ id }, read, { owner }) {
      if ((await read.get(productKey(id)))?.['sellerId'] !== owner) yield `is in the list of ${owner}, and is not of that seller`;
    },
  }),
  sellerStorageKey: createRule({
    schema: z.object({ heldBytes: z.int() }),
    async *faults({ heldBytes }, read, { owner }) {
      const products = await read.query(productsOfSeller(idFromKey('seller', owner)));
      const files = await Promise.all(products.map((product) => read.query(filesOfProduct(ProductItem.parse(product).id))));
      const held = files.flat().reduce((sum, item) => {
        const file = ProductFileRecord.safeParse(item);
        return sum + (file.success ? reservedBytes(file.data) : 0);
      }, 0);
      if (held !== heldBytes) yield `counts ${heldBytes} bytes of files, which take ${held}`;
    },
  }),
  codeHashSecretKey: createRule({
    schema: z.object({ sealedSecret: z.string() }),
    async *faults(_, read, { owner }) {
      if (!(await read.get(sellerKey(idFromKey('seller', owner))))) yield 'has a secret for codes, and is not there';
    },
  }),
  apiTokenKey: createRule({
    schema: ApiTokenRecord,
    key: ({ id }) => apiTokenKey(id),
    async *faults(token, read) {
      const { id, sellerId, userId, ttl } = token;
      if ((await read.get(sellerKey(sellerId)))?.['ownerUserId'] !== userId) yield `is of ${sellerId}, and not of its owner`;
      if ((await read.get(apiTokenOfSellerKey(sellerId, id)))?.['ttl'] !== ttl)
        yield `is not in the list of ${sellerId} as long as it is kept`;
      if (ttl !== tokenTtl(token)) yield 'is kept for another time than it should be';
      const places = LiveApiTokens.safeParse(await read.get(liveApiTokensKey(sellerId))).data?.live ?? {};
      if (isLiveToken(token, new Date()) && places[id] !== token.expiresAt) yield 'is live, and takes no place';
      if (token.revokedAt !== undefined && id in places) yield 'was revoked, and takes a place still';
    },
  }),
  apiTokenOfSellerKey: createRule({
    schema: z.object({ id: idOf('token'), ttl: z.int() }),
    key: ({ id }, { owner }) => apiTokenOfSellerKey(idFromKey('seller', owner), id),
    async *faults({ id }, read, { owner }) {
      if ((await read.get(apiTokenKey(id)))?.['sellerId'] !== owner) yield `is in the list of ${owner}, and is not of that seller`;
    },
  }),
  liveApiTokensKey: createRule({
    schema: LiveApiTokens,
    async *faults({ live }, read, { owner }) {
      const now = new Date().toISOString();
      const sellerId = idFromKey('seller', owner);
      for (const [id, expiresAt] of Object.entries(live)) {
        // What expired long ago is not kept; its place goes with the next token that is made.
        const isThere = expiresAt <= now || (await read.get(apiTokenOfSellerKey(sellerId, idFromKey('token', id))));
        if (!isThere) yield `has a place for ${id}, which is no token of it`;
      }
    },
  }),
  endpointKey: createRule({
    schema: WebhookEndpointRecord,
    key: ({ id, sellerId }) => endpointKey(sellerId, id),
    async *faults({ sellerId }, read) {
      if (!(await read.get(sellerKey(sellerId)))) yield `is of ${sellerId}, which is not there`;
      if (!(await read.get(endpointCountKey(sellerId)))) yield `is of ${sellerId}, which counts no endpoints`;
    },
  }),
  endpointCountKey: createRule({
    schema: z.object({ endpointCount: z.int() }),
    async *faults({ endpointCount }, read, { owner }) {
      const endpoints = await read.query(endpointsOfSeller(idFromKey('seller', owner)));
      if (endpoints.length !== endpointCount) yield `counts ${endpointCount} endpoints, and has ${endpoints.length}`;
    },
  }),
  sellerEventKey: createRule({
    schema: SellerEvent,
    key: ({ id, sellerId }) => sellerEventKey(sellerId, id),
    async *faults({ sellerId }, read) {
      if (!(await read.get(sellerKey(sellerId)))) yield `is of ${sellerId}, which is not there`;
    },
  }),
} as const;
