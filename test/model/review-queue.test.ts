import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { tries } from '../support/depth.ts';
import { productRequest } from '../support/scenes/catalog-harness.ts';
import { type Market, type Marketplace, openMarketplace, startMarket } from '../support/scenes/marketplace.ts';
import { bringRelease } from '../support/scenes/releases/market-releases.ts';

jest.setTimeout(240_000);

let market: Market;
beforeAll(async () => {
  market = await startMarket();
});
afterAll(() => market.stop());

type Json = Record<string, any>;
const asAdmin = { 'X-User-ID': 'reviewer', 'X-User-Email': 'admin@example.com' };
const application = {
  display_name: 'Dora',
  contact_email: 'd@example.com',
  support_email: 'd@example.com',
  site_url: 'https://dora.example',
};

/** What waits, told by the replies to what was done alone. */
class Waiting {
  readonly since = new Map<string, string>();

  see(kind: string, id: string, waits: boolean, at: string): void {
    const name = `${kind} ${id}`;
    if (!waits) this.since.delete(name);
    else if (!this.since.has(name)) this.since.set(name, at);
  }
  seeSeller = ({ id, internal_review_status }: Json, at: string) => this.see('seller', id, internal_review_status === 'pending_review', at);
  seeProduct = ({ id, status, pending }: Json, at: string) => {
    this.see('product', id, status === 'pending_review', at);
    this.see('revision', id, (status === 'approved' || status === 'published') && pending?.status === 'pending_review', at);
  };
  seeFile = ({ file_id: id, status }: Json, at: string) => this.see('file', id, status === 'pending_review', at);
  seeRelease = ({ id, status }: Json, at: string) => this.see('release', id, status === 'pending_review', at);

  get inOrder() {
    const all = [...this.since].map(([name, since]) => ({ name, since }));
    const place = ({ name, since }: { name: string; since: string }) => `${since}#${name.replace(' ', '#')}`;
    return all.sort((a, b) => (place(a) < place(b) ? -1 : 1));
  }
}

const moves = [
  ['seller', 'apply'],
  ['seller', 'approve'],
  ['seller', 'needs_more_info'],
  ['seller', 'reject'],
  ['product', 'submit'],
  ['product', 'submit'],
  ['product', 'patch'],
  ['product', 'withdraw'],
  ['product', 'approve'],
  ['product', 'approve'],
  ['product', 'reject'],
  ['product', 'suspend'],
  ['file', 'add'],
  ['file', 'approve'],
  ['file', 'reject'],
  ['file', 'disable'],
  ['release', 'submit'],
  ['release', 'withdraw'],
  ['release', 'reject'],
  ['release', 'approve'],
] as const;
type Move = (typeof moves)[number];

async function act({ call, own, addFile }: Marketplace, waiting: Waiting, made: { release: string; files: string[] }, at: string) {
  const review = (path: string, decision: string) => {
    const reasons = { rejection_reason: 'No', rejected_reason: 'No', yank_reason: 'No' };
    return call('PATCH', `/v1/admin/${path}/review`, { headers: asAdmin, body: { decision, ...reasons } });
  };
  const bySeller = (method: string, path: string, body: object = {}) =>
    call(method, `/v1/products/${own.csvProduct.id}${path}`, { headers: { 'X-User-ID': 'alice' }, body });
  const release = `products/${own.product.id}/releases/${made.release}`;
  const releaseMove = (path: string) => call('POST', `/v1/${release}/${path}`, { headers: { 'X-User-ID': 'alice' }, body: {} });

  return async ([noun, move]: Move, number: number): Promise<void> => {
    switch (noun) {
      case 'seller': {
        const dora = { headers: { 'X-User-ID': 'dora' }, body: application };
        const { id } = (await call('GET', '/v1/sellers/me', { headers: dora.headers })).json;
        const { status, json } = await (move === 'apply' ? call('POST', '/v1/sellers', dora) : review(`sellers/${id}`, move));
        if (status < 300) waiting.seeSeller(json, at);
        return;
      }
      case 'product': {
        const body = { ...productRequest, name: own.csvProduct.slug, license_issuance_mode: 'imported_csv', price_amount: 100 + number };
        const reply =
          move === 'submit'
            ? await bySeller('POST', '/submit-review')
            : move === 'patch'
              ? await bySeller('PATCH', '', body)
              : move === 'withdraw'
                ? await bySeller('POST', '/publish', { publish: false })
                : await review(`products/${own.csvProduct.id}`, move);
        if (reply.status < 300) waiting.seeProduct(reply.json, at);
        return;
      }
      case 'file': {
        if (move === 'add') {
          const clean = { hashStatus: 'verified', scanStatus: 'clean', scanTrustedClean: true } as const;
          const { id } = await addFile(own.product, { ...clean, uploadedAt: at });
          made.files.push(id);
          waiting.see('file', id, true, at);
          return;
        }
        const { status, json } = await review(`products/${own.product.id}/files/${made.files[number % made.files.length]}`, move);
        if (status < 300) waiting.seeFile(json, at);
        return;
      }
      case 'release': {
        const { status, json } = await (move === 'submit' || move === 'withdraw' ? releaseMove(move) : review(release, move));
        if (status < 300) waiting.seeRelease(json, at);
      }
    }
  };
}

describe('the queue', () => {
  test('holds what waits and nothing else, longest first, whatever is handed in and decided', async () => {
    const steps = fc.array(fc.record({ move: fc.constantFrom(...moves), number: fc.nat(50) }), { minLength: 5, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (taken, limit) => {
        const scene = await openMarketplace(market);
        const { call, own, other } = scene;
        const made = { release: await bringRelease(scene, own, 'draft', '1.0.0'), files: [own.file.id as string] };
        const waiting = new Waiting();
        for (const { file } of [own, other]) waiting.see('file', file.id, true, String(file.uploadedAt));
        for (const [step, { move, number }] of taken.entries()) {
          const passed = (step + 1) * 1000;
          scene.setTime(passed);
          await (await act(scene, waiting, made, new Date(Date.parse(scene.at) + passed).toISOString()))(move, number);
        }
        const listed: Json[] = [];
        let cursor = '';
        do {
          const page = (await call('GET', `/v1/admin/queue?limit=${limit}${cursor}`, { headers: asAdmin })).json;
          expect(page.items.length).toBe(Math.min(limit, waiting.since.size - listed.length));
          listed.push(...page.items);
          cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : '';
        } while (cursor);
        expect(listed.map(({ kind, target_id, since }) => ({ name: `${kind} ${target_id}`, since }))).toEqual(waiting.inOrder);
        const { queue } = (await call('GET', '/v1/admin/overview', { headers: asAdmin })).json;
        for (const kind of ['seller', 'product', 'revision', 'file', 'release']) {
          const ofKind = waiting.inOrder.filter(({ name }) => name.startsWith(`${kind} `));
          expect(queue[kind]).toEqual({ count: ofKind.length, ...(ofKind[0] && { oldest_since: ofKind[0].since }) });
        }
      }),
      { numRuns: tries(12) },
    );
  });
});
