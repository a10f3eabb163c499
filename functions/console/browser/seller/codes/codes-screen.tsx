import { useEffect } from 'preact/hooks';
import type { CodeBatch, CodeStock } from '../../../../../build/client.ts';
import { refresh, useList, useRead } from '../../api/reads.ts';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { useAnnouncements } from '../../components/live.tsx';
import { Loaded, LoadedList } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { formatCount } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { productPath } from '../products/product.ts';
import { ProductPart } from '../products/product-tabs.tsx';
import { isRunning, pollEvery } from './batch-state.ts';
import { BatchTable } from './batch-table.tsx';
import { texts } from './codes-texts.ts';
import { ImportForm } from './import-form.tsx';

/** How often the stock is counted while orders that waited are served. */
const serveMs = 5_000;

/** The imported codes of a product: how many are left, how imports went, and the way to more. */
export function CodesScreen() {
  const path = { product_id: useParam('product_id') };
  const batches = useList('listCodeBatches', { path }, { every: pollEvery });
  const runs = batches.body?.some(isRunning) ?? false;
  const stock = useRead(
    'getCodeStock',
    { path },
    { every: (read) => (runs || (read !== undefined && read.waiting_orders > 0 && read.available > 0)) && serveMs },
  );
  useAnnouncements(batches.body && Object.fromEntries(batches.body.map((batch) => [batch.id, newsOf(batch)])));
  const isKnown = stock.body !== undefined;
  useEffect(() => {
    // What an import left counts, and how many orders it served.
    if (!runs && isKnown) refresh();
  }, [runs]);
  return (
    <ProductPart title={texts.title}>
      {(body) => (
        <>
          {body.license_issuance_mode === 'imported_csv' ? (
            <>
              <p>{texts.lead}</p>
              <Loaded of={stock}>{(counts) => <Stock of={counts} />}</Loaded>
              {body.status === 'suspended' ? <p class="notice warn">{texts.suspended}</p> : <ImportForm productId={body.id} />}
              <section class="stack">
                <h2>{texts.batches}</h2>
                <LoadedList of={batches} none={<Empty text={texts.none} />}>
                  {(all) => <BatchTable batches={all} />}
                </LoadedList>
              </section>
            </>
          ) : (
            <Empty text={texts.generated} next={<a href={productPath(body.id)}>{texts.generatedNext}</a>} />
          )}
        </>
      )}
    </ProductPart>
  );
}

/** How an import stands, in words: its end is said, and what came of it; its counts alone are not. */
function newsOf({ status, imported_count, duplicate_count, rejected_count }: CodeBatch): string {
  const state = wordOf('batch', status);
  return status === 'completed' ? texts.news(state, imported_count, duplicate_count, rejected_count) : `${texts.batches}: ${state}`;
}

function Stock({ of: { available, sold, waiting_orders } }: { of: CodeStock }) {
  return (
    <section class="card">
      <h2>{texts.stock}</h2>
      <Facts
        of={[
          [texts.available, formatCount(available)],
          [texts.sold, formatCount(sold)],
          [texts.waiting, formatCount(waiting_orders)],
        ]}
      />
      {waiting_orders > 0 && available === 0 && <p class="notice warn">{texts.short(waiting_orders)}</p>}
    </section>
  );
}
