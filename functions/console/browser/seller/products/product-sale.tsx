import type { Product } from '../../../../../build/client.ts';
import { keepReply } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { findDraft } from '../../forms/drafts.ts';
import { announce } from '../../frame/live.tsx';
import { AskFirst } from '../../parts/ask-first.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { State } from '../../parts/state.tsx';
import { Due } from '../../parts/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { useOutdated } from '../releases/use-release.ts';
import { hasLive, productPath } from './product.ts';
import { draftKeyOf } from './product-form.tsx';
import { say } from './products-texts.ts';

const titleId = 'sale';

/** How a product stands with review and sale, why, and what its seller can do about it. */
export function ProductSale({ product }: { product: Product }) {
  const { id, status, pending, on_sale, sale_blockers, rejection_reason, review_due_at, url, revision } = product;
  const path = { product_id: id };
  const keep = (body: Product) => keepReply('getProduct', { path }, body);
  const submit = useSend('submitProduct', {
    done(body) {
      keep(body);
      announce(say.submitted);
      // The button goes.
      document.getElementById(titleId)?.focus();
    },
  });
  useOutdated(submit.failure);
  const waitsUntil = pending ? pending.review_due_at : review_due_at;
  const isReady = pending ? pending.status !== 'pending_review' : status === 'draft' || status === 'rejected';
  const handIn = () => void submit.send({ path, body: { expected_revision: revision } });
  return (
    <section class="card">
      <h2 tabIndex={-1} id={titleId}>
        {say.reviewHeading}
      </h2>
      <p class="buttons">
        <State of="product" value={status} />
        {pending && (
          <span>
            {say.pending}: <State of="product" value={pending.status} />
          </span>
        )}
        {on_sale && (
          <a href={url} target="_blank" rel="noopener">
            {say.publicPage}
          </a>
        )}
      </p>
      {on_sale ? <p>{say.onSale}</p> : <Blockers product={product} blockers={sale_blockers} />}
      {rejection_reason && <Reason text={say.rejected} reason={rejection_reason} />}
      {pending?.rejection_reason && <Reason text={say.pendingRejected} reason={pending.rejection_reason} />}
      {waitsUntil && (
        <p>
          {say.waits} <Due at={waitsUntil} />
        </p>
      )}
      {submit.failure && <FailureNotice failure={submit.failure} what={say.notSubmitted} onRetry={isReady ? handIn : undefined} />}
      {isReady && (
        <>
          {pending && <p>{say.changeNote}</p>}
          {findDraft(draftKeyOf(id)) !== undefined && <p class="small">{say.unsaved}</p>}
          <form
            data-target={id}
            onSubmit={(event) => {
              event.preventDefault();
              handIn();
            }}
          >
            <SendButton operation="submitProduct" target={id} sending={submit.sending}>
              {pending ? say.submitChange : say.submit}
            </SendButton>
          </form>
        </>
      )}
      {(hasLive(product) || status === 'pending_review' || status === 'rejected') && (
        <p>
          <AskFirst
            operation="publishProduct"
            args={() => ({ path, body: { publish: false } })}
            target={id}
            ask={say.takeOff}
            title={say.takeOffTitle}
            said={say.takenOff}
            focusAfter={titleId}
          >
            <p>{say.takeOffText}</p>
          </AskFirst>
        </p>
      )}
    </section>
  );
}

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
    seller_not_approved: ['/console/seller', say.blockerNext.seller_not_approved],
    payment_not_ready: ['/console/seller', say.blockerNext.payment_not_ready],
    out_of_stock: [`${productPath(product.id)}/codes`, say.blockerNext.out_of_stock],
  };
  return (
    <div>
      <p>{say.notOnSale}</p>
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
