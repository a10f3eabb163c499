import { endlessUpdatesDays } from '../../../../../shared/products/update-terms.ts';
import { When } from '../../parts/when.tsx';
import { FieldDiff } from '../../text/word-diff.tsx';
import { formatPrice } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { type ComparedField, comparisonOf, type ReviewedProduct, type WrittenValues } from './comparison.ts';
import { Preview } from './preview.tsx';
import { say } from './products-texts.ts';

/** How what is no free text reads. */
const reads: { readonly [Field in ComparedField]?: (values: WrittenValues) => string } = {
  price_amount: ({ price_amount, currency }) => formatPrice(price_amount, currency),
  license_issuance_mode: ({ license_issuance_mode }) => wordOf('issuance', license_issuance_mode),
  offline_days: ({ offline_days }) => say.days(offline_days),
  offline_file_days: ({ offline_file_days }) => say.days(offline_file_days),
  updates_days: ({ updates_days }) => (updates_days >= endlessUpdatesDays ? say.endless : say.days(updates_days)),
  addition_prices: ({ addition_prices: { seat, updates }, currency }) =>
    [
      seat !== undefined && `${say.oneSeat}: ${formatPrice(seat, currency)}`,
      updates !== undefined && `${say.moreUpdates}: ${formatPrice(updates, currency)}`,
    ]
      .filter(Boolean)
      .join('\n'),
  upgrades_from: ({ upgrades_from, currency }) =>
    upgrades_from.map(({ product_id, price_amount }) => `${product_id}: ${formatPrice(price_amount, currency)}`).join('\n'),
  tax_percent: ({ tax_percent }) => `${tax_percent} %`,
};

/** Each field that the seller wrote, word by word against what it was. */
export function ProductDifference({ product }: { product: ReviewedProduct }) {
  const { against, before, after, fields, count } = comparisonOf(product);
  const { id, pending, last_decision } = product;
  return (
    <section class="stack">
      <h2>{say.against[against]}</h2>
      {against === 'decision' && last_decision && (
        <p>
          {say.decidedAs(wordOf('decision', last_decision.decision))} (<When at={last_decision.at} />)
        </p>
      )}
      <p>{against === 'nothing' ? say.first : say.differ(count)}</p>
      {pending?.status === 'draft' && <p>{say.notHandedIn}</p>}
      <div class="buttons">
        {pending && <Preview productId={id} version="pending" words={say.preview.pending} />}
        <Preview productId={id} version="live" words={pending ? say.preview.liveBeside : say.preview.live} />
      </div>
      <dl class="facts">
        {fields.map((field) => {
          const read = reads[field];
          return read ? (
            <FieldDiff key={field} field={field} label={say.fields[field]} before={read(before)} after={read(after)} show={String} />
          ) : (
            <FieldDiff key={field} field={field} label={say.fields[field]} before={before[field]} after={after[field]} />
          );
        })}
      </dl>
    </section>
  );
}
