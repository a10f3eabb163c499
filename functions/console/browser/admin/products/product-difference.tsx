import { reviewedFields } from 'console:product-fields';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { usePreview } from '../../components/use-preview.ts';
import { When } from '../../components/when.tsx';
import { FieldDiff } from '../../text/word-diff.tsx';
import { formatPrice } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { type ComparedField, comparisonOf, type ReviewedProduct, type WrittenValues } from './comparison.ts';
import { texts } from './products-texts.ts';

type Read = (values: WrittenValues) => string;

/** How that reads which reads like no other field. */
const ownReads: { readonly [Field in ComparedField]?: Read } = {
  license_issuance_mode: ({ license_issuance_mode }) => wordOf('issuance', license_issuance_mode),
  addition_prices: ({ addition_prices: { seat, updates }, currency }) =>
    [
      seat !== undefined && `${texts.oneSeat}: ${formatPrice(seat, currency)}`,
      updates !== undefined && `${texts.moreUpdates}: ${formatPrice(updates, currency)}`,
    ]
      .filter(Boolean)
      .join('\n'),
  upgrades_from: ({ upgrades_from, currency }) =>
    upgrades_from.map(({ product_id, price_amount }) => `${product_id}: ${formatPrice(price_amount, currency)}`).join('\n'),
};

/** How a field reads that is no free text. */
function readOf(field: ComparedField): Read | undefined {
  const { control, unit, emptyAs = Number.POSITIVE_INFINITY } = reviewedFields[field];
  const numeric =
    (read: (value: number, currency: string) => string): Read =>
    ({ [field]: value, currency }) =>
      typeof value === 'number' ? read(value, currency) : '';
  if (control === 'price') return numeric(formatPrice);
  if (control === 'days') return numeric((value) => (value >= emptyAs ? texts.endless : texts.days(value)));
  return unit === undefined ? ownReads[field] : numeric((value) => `${value} ${unit}`);
}

/** Each field that the seller wrote, word by word against what it was. */
export function ProductDifference({ product }: { product: ReviewedProduct }) {
  const { against, before, after, fields, count } = comparisonOf(product);
  const { id, pending, last_decision } = product;
  return (
    <section class="stack">
      <h2>{texts.against[against]}</h2>
      {against === 'decision' && last_decision && (
        <p>
          {texts.decidedAs(wordOf('decision', last_decision.decision))} (<When at={last_decision.at} />)
        </p>
      )}
      <p>{against === 'nothing' ? texts.first : texts.differ(count)}</p>
      {pending?.status === 'draft' && <p>{texts.notHandedIn}</p>}
      <div class="buttons">
        {pending && <Preview productId={id} version="pending" words={texts.preview.pending} />}
        <Preview productId={id} version="live" words={pending ? texts.preview.liveBeside : texts.preview.live} />
      </div>
      <dl class="facts">
        {fields.map((field) => {
          const { label } = reviewedFields[field];
          const read = readOf(field);
          return read ? (
            <FieldDiff key={field} field={field} label={label} before={read(before)} after={read(after)} show={String} />
          ) : (
            <FieldDiff key={field} field={field} label={label} before={before[field]} after={after[field]} />
          );
        })}
      </dl>
    </section>
  );
}

function Preview({ productId, version, words }: { productId: string; version: 'live' | 'pending'; words: string }) {
  const { address, show, sending, failure } = usePreview('createReviewPreview', productId);
  return (
    <div>
      <SendButton operation="createReviewPreview" target={version} sending={sending} kind="quiet" onPress={() => void show(version)}>
        {words}
      </SendButton>
      {address && (
        <p class="small">
          <a href={address} target="_blank" rel="noopener noreferrer">
            {texts.openPreview}
          </a>{' '}
          {texts.previewFor}
        </p>
      )}
      {failure && <FailureNotice failure={failure} notDone={texts.notPreviewed} />}
    </div>
  );
}
