import type { Product } from '../../../../../build/client.ts';
import { storeReply } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { useOutdated } from '../../api/use-outdated.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announce } from '../../components/live.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { State } from '../../components/state.tsx';
import { Due } from '../../components/when.tsx';
import { findDraft } from '../../forms/drafts.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { hasLive, productPath } from './product.ts';
import { draftKeyOf } from './product-form.tsx';
import { texts } from './products-texts.ts';

const titleId = 'sale';

/** How a product stands with review and sale, why, and what its seller can do about it. */
export function ProductSale({ product }: { product: Product }) {
  const { status, pending, on_sale, sale_blockers, rejection_reason, review_due_at, url } = product;
  const waitsUntil = pending ? pending.review_due_at : review_due_at;
  return (
    <section class="card">
      <h2 tabIndex={-1} id={titleId}>
        {texts.reviewHeading}
      </h2>
      <p class="buttons">
        <State of="product" value={status} />
        {pending && (
          <span>
            {texts.pending}: <State of="product" value={pending.status} />
          </span>
        )}
        {on_sale && (
          <a href={url} target="_blank" rel="noopener">
            {texts.publicPage}
          </a>
        )}
      </p>
      {on_sale ? <p>{texts.onSale}</p> : <Blockers product={product} blockers={sale_blockers} />}
      {rejection_reason && <Reason text={texts.rejected} reason={rejection_reason} />}
      {pending?.rejection_reason && <Reason text={texts.pendingRejected} reason={pending.rejection_reason} />}
      {waitsUntil && (
        <p>
          {texts.waits} <Due at={waitsUntil} />
        </p>
      )}
      <HandIn product={product} />
      {(hasLive(product) || status === 'pending_review' || status === 'rejected') && <TakeOff id={product.id} />}
    </section>
  );
}

/** Hands a product in, or its change. */
function HandIn({ product: { id, status, pending, revision } }: { product: Product }) {
  const path = { product_id: id };
  const { send, sending, failure } = useSend('submitProduct', {
    done(body) {
      storeReply('getProduct', { path }, body);
      announce(texts.submitted);
      // The button goes.
      document.getElementById(titleId)?.focus();
    },
  });
  useOutdated(failure);
  const isReady = pending ? pending.status !== 'pending_review' : status === 'draft' || status === 'rejected';
  const handIn = () => void send({ path, body: { expected_revision: revision } });
  return (
    <>
      {failure && (
        <FailureNotice
          failure={failure}
          notDone={pending ? texts.changeNotSubmitted : texts.notSubmitted}
          onRetry={isReady ? handIn : undefined}
        />
      )}
      {isReady && (
        <>
          {pending && <p>{texts.changeNote}</p>}
          {findDraft(draftKeyOf(id)) !== undefined && <p class="small">{texts.unsaved}</p>}
          <form
            data-target={id}
            onSubmit={(event) => {
              event.preventDefault();
              handIn();
            }}
          >
            <SendButton operation="submitProduct" target={id} sending={sending}>
              {pending ? texts.submitChange : texts.submit}
            </SendButton>
          </form>
        </>
      )}
    </>
  );
}

const TakeOff = ({ id }: { id: string }) => (
  <p>
    <AskFirst
      operation="publishProduct"
      args={() => ({ path: { product_id: id }, body: { publish: false } })}
      target={id}
      ask={texts.takeOff}
      title={texts.takeOffTitle}
      notDone={texts.notTakenOff}
      said={texts.takenOff}
      focusAfter={titleId}
    >
      <p>{texts.takeOffText}</p>
    </AskFirst>
  </p>
);

const Reason = ({ text, reason }: { text: string; reason: string }) => (
  <div class="notice bad">
    <p>{text}</p>
    <p>
      <SellerText text={reason} multiline />
    </p>
  </div>
);

/** Why a product is not sold, and where that can be changed. */
function Blockers({ product, blockers }: { product: Product; blockers: readonly string[] }) {
  const next: Record<string, [href: string, text: string]> = {
    seller_not_approved: ['/console/seller', texts.blockerNext.seller_not_approved],
    payment_not_ready: ['/console/seller', texts.blockerNext.payment_not_ready],
    out_of_stock: [`${productPath(product.id)}/codes`, texts.blockerNext.out_of_stock],
  };
  return (
    <div>
      <p>{texts.notOnSale}</p>
      <ul>
        {blockers.map((blocker) => {
          const [href, text] = next[blocker] ?? [];
          return (
            <li key={blocker}>
              {wordOf('sale_blocker', blocker)} {href && <a href={href}>{text}</a>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
