import { useState } from 'preact/hooks';
import type { BodyOf } from '../../api/call.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useRead } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { State } from '../../components/state.tsx';
import { Due, When } from '../../components/when.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { Decisions } from '../decisions/decisions.tsx';
import { texts as decisionsTexts } from '../decisions/decisions-texts.ts';
import { JustDecided, useNextInQueue } from '../decisions/next-in-queue.tsx';
import { isBeingChecked } from '../decisions/reviewed-file.ts';
import type { ReviewedProduct } from '../products/comparison.ts';
import { previousRelease, type ReviewedRelease } from './last-release.ts';
import { choicesOf } from './release-choices.ts';
import { ReleaseDifference } from './release-difference.tsx';
import { ReleaseFiles } from './release-files.tsx';
import { texts } from './releases-texts.ts';
import { useReleases } from './use-releases.ts';

/** A version of a product against the one that was published last, and what is decided on it. */
export function ReleaseScreen() {
  const [productId, version] = [useParam('product_id'), useParam('version')];
  const found = useReleases(productId, version);
  const { unread, lookFurther } = found;
  // What was decided here is known before any list has it.
  const [decided, setDecided] = useState<ReviewedRelease>();
  const release = decided && decided.revision >= (found.release?.revision ?? 0) ? decided : found.release;
  const product = useRead(
    'getProductForReview',
    { path: { product_id: productId } },
    { every: (body) => (release?.status === 'pending_review' && body && filesOf(release, body).some(isBeingChecked) ? 3_000 : false) },
  );
  const name = product.body?.name;
  return (
    <Screen
      title={name === undefined ? version : `${name} ${version}`}
      back={{ href: `/console/admin/products/${encodeURIComponent(productId)}`, text: decisionsTexts.product }}
    >
      <JustDecided />
      <Loaded of={product}>
        {(reviewed) => (
          <>
            {release && (
              <Review
                release={release}
                last={previousRelease(release, found.published)}
                product={reviewed}
                onDecided={(reply) => setDecided({ ...release, ...reply })}
              />
            )}
            {!release && unread && <Loaded of={unread}>{() => null}</Loaded>}
            {!release && !unread && (
              <>
                <FailureNotice failure={new ApiFailure({ code: 'release_not_found' })} notDone={texts.notFound} />
                <p>{texts.missingText}</p>
                {lookFurther && (
                  <p>
                    <button type="button" class="button quiet" onClick={lookFurther}>
                      {texts.look}
                    </button>
                  </p>
                )}
              </>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

const filesOf = ({ artifacts }: ReviewedRelease, { files }: ReviewedProduct) =>
  files.filter((file) => artifacts.some(({ file_id }) => file_id === file.file_id));

function Review({
  release,
  last,
  product,
  onDecided,
}: {
  release: ReviewedRelease;
  last: ReviewedRelease | undefined;
  product: ReviewedProduct;
  onDecided: (release: BodyOf<'reviewRelease'>) => void;
}) {
  const { id, product_id, version, status, revision } = release;
  const files = filesOf(release, product);
  const goOn = useNextInQueue();
  const review = useSend('reviewRelease', { done: onDecided });
  return (
    <>
      <Summary release={release} product={product} />
      <section class="stack">
        <h2>{decisionsTexts.title}</h2>
        <Decisions
          operation="reviewRelease"
          target={id}
          name={`${product.name} ${version}`}
          revision={revision}
          own={product.own}
          choices={choicesOf(release, { productStatus: product.status, files })}
          of={review}
          onDecide={async (body) => {
            const reply = await review.send({ path: { product_id, release_id: id }, body });
            const said = decisionsTexts.done[body.decision](`${product.name} ${version}`);
            if (reply) await goOn(said, status === 'pending_review' ? { kind: 'release', target_id: id } : undefined);
            return reply !== undefined;
          }}
        />
      </section>
      <ReleaseDifference release={release} last={last} />
      <section class="stack">
        <h2>{decisionsTexts.files}</h2>
        <ReleaseFiles release={release} files={files} own={product.own} />
        <p class="small">
          {texts.filesDecided} <a href={`/console/admin/products/${encodeURIComponent(product_id)}`}>{texts.toFiles}</a>
          <br />
          {decisionsTexts.careful}
        </p>
      </section>
    </>
  );
}

function Summary({ release, product }: { release: ReviewedRelease; product: ReviewedProduct }) {
  const { status, submitted_at, review_due_at, published_at, yanked_at, rejection_reason, yank_reason } = release;
  const reason = yank_reason ?? rejection_reason;
  return (
    <section class="stack">
      <Facts
        of={[
          [decisionsTexts.state, <State key="state" of="release" value={status} />],
          [decisionsTexts.due, review_due_at && <Due key="due" at={review_due_at} />],
          [texts.submitted, submitted_at && <When key="submitted" at={submitted_at} />],
          [texts.published, published_at && <When key="published" at={published_at} />],
          [texts.yanked, yanked_at && <When key="yanked" at={yanked_at} />],
          [texts.reason, reason && <SellerText key="reason" text={reason} multiline />],
          [
            decisionsTexts.product,
            <a key="product" href={`/console/admin/products/${encodeURIComponent(product.id)}`}>
              <SellerText text={product.name} />
            </a>,
          ],
          [
            decisionsTexts.seller,
            <a key="seller" href={`/console/admin/sellers/${encodeURIComponent(product.seller.id)}`}>
              <SellerText text={product.seller.display_name} />
            </a>,
          ],
        ]}
      />
    </section>
  );
}
