import { storeReply, useList, useRead } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { Facts } from '../../components/facts.tsx';
import { State } from '../../components/state.tsx';
import { Due, When } from '../../components/when.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { AuditOf } from '../audit/audit-of.tsx';
import { Decisions } from '../decisions/decisions.tsx';
import { texts as decisionsTexts } from '../decisions/decisions-texts.ts';
import { JustDecided, useNextInQueue } from '../decisions/next-in-queue.tsx';
import { isUnsettled } from '../decisions/reviewed-file.ts';
import type { ReviewedProduct } from './comparison.ts';
import { choicesOf, waitingKind } from './product-choices.ts';
import { ProductDifference } from './product-difference.tsx';
import { ProductFiles } from './product-files.tsx';
import { texts } from './products-texts.ts';

/** A product with all that belongs to a decision on it, its change or its files. */
export function ProductScreen() {
  const id = useParam('product_id');
  const path = { product_id: id };
  const product = useRead('getProductForReview', { path }, { every: (body) => (body?.files.some(isUnsettled) ? 3_000 : false) });
  // Begun at once, and shown below what would move it.
  useList('listAudit', { query: { target_id: id } });
  return (
    <Screen title={product.body?.name ?? wordOf('queue', 'product')} back={{ href: '/console/admin', text: decisionsTexts.queue }}>
      <JustDecided />
      <Loaded of={product}>
        {(body) => (
          <>
            <ProductDecisions product={body} />
            <Summary product={body} />
            <ProductDifference product={body} />
            <ProductFiles product={body} />
          </>
        )}
      </Loaded>
      {(product.body ?? product.failure) && <AuditOf id={id} />}
    </Screen>
  );
}

function ProductDecisions({ product }: { product: ReviewedProduct }) {
  const { id, name, status, revision, own } = product;
  const goOn = useNextInQueue();
  const review = useSend('reviewProduct', {
    done: (reply) => storeReply('getProductForReview', { path: { product_id: id } }, decidedOn(product, reply)),
  });
  return (
    <section>
      <h2>{decisionsTexts.title}</h2>
      <Decisions
        operation="reviewProduct"
        target={id}
        name={name}
        revision={revision}
        own={own}
        choices={choicesOf(product)}
        of={review}
        onDecide={async (body) => {
          const kind = waitingKind(product);
          const reply = await review.send({ path: { product_id: id }, body });
          const said = decisionsTexts.done[status === 'suspended' ? 'lift' : body.decision](name);
          if (reply) await goOn(said, kind && { kind, target_id: id });
          return reply !== undefined;
        }}
      />
    </section>
  );
}

/** The reply says all of the product itself, also what it has no more. */
function decidedOn({ own, seller, files, last_decision }: ReviewedProduct, reply: Omit<ReviewedProduct, 'own' | 'seller' | 'files'>) {
  return { ...reply, own, seller, files, ...(last_decision && { last_decision }) };
}

function Summary({ product }: { product: ReviewedProduct }) {
  const { status, pending, sale_blockers, seller } = product;
  const { submitted_at, review_due_at } = pending ?? product;
  const reason = pending?.rejection_reason ?? product.rejection_reason;
  return (
    <section>
      <h2>{texts.summary}</h2>
      <Facts
        of={[
          [decisionsTexts.state, <State key="state" of="product" value={status} />],
          [texts.pending, pending && <State key="pending" of="product" value={pending.status} />],
          [decisionsTexts.due, review_due_at && <Due key="due" at={review_due_at} />],
          [texts.submitted, submitted_at && <When key="submitted" at={submitted_at} />],
          [texts.reason, reason && <SellerText key="reason" text={reason} multiline />],
          [
            decisionsTexts.blockers,
            sale_blockers.length > 0 && sale_blockers.map((blocker) => <div key={blocker}>{wordOf('sale_blocker', blocker)}</div>),
          ],
          [
            texts.page,
            product.on_sale && (
              <a key="page" href={product.url} target="_blank" rel="noopener noreferrer">
                <SellerText text={product.url} />
              </a>
            ),
          ],
          [
            decisionsTexts.seller,
            <span key="seller">
              <a href={`/console/admin/sellers/${encodeURIComponent(seller.id)}`}>
                <SellerText text={seller.display_name} />
              </a>{' '}
              <State of="seller" value={seller.internal_review_status} />
            </span>,
          ],
          [decisionsTexts.payments, <State key="payments" of="onboarding" value={seller.payment_onboarding_status} />],
        ]}
      />
    </section>
  );
}
