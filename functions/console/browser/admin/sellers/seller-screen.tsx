import type { BodyOf } from '../../api/call.ts';
import { type ItemOf, type List, storeReply, useList, useRead } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { State } from '../../components/state.tsx';
import { Due, When } from '../../components/when.tsx';
import { Loaded, LoadedList } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { SellerLink, SellerText } from '../../text/seller-text.tsx';
import { formatPrice } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { AuditOf } from '../audit/audit-of.tsx';
import { Decisions } from '../decisions/decisions.tsx';
import { texts as decisionsTexts } from '../decisions/decisions-texts.ts';
import { JustDecided, useNextInQueue } from '../decisions/next-in-queue.tsx';
import { choicesOf } from './seller-choices.ts';
import { texts } from './sellers-texts.ts';

type Seller = BodyOf<'getSeller'>;

/** A seller with all that belongs to a decision on it. */
export function SellerScreen() {
  const id = useParam('seller_id');
  const seller = useRead('getSeller', { path: { seller_id: id } });
  const products = useList('listProductsForReview', { query: { seller_id: id, limit: 50 } });
  // Begun at once, and shown below what would move it.
  useList('listAudit', { query: { target_id: id } });
  return (
    <Screen title={seller.body?.display_name ?? wordOf('queue', 'seller')} back={{ href: '/console/admin', text: decisionsTexts.queue }}>
      <JustDecided />
      <Loaded of={seller}>{(body) => <Review seller={body} />}</Loaded>
      {(seller.body ?? seller.failure) && (
        <>
          <Products products={products} />
          <AuditOf id={id} />
        </>
      )}
    </Screen>
  );
}

function Review({ seller }: { seller: Seller }) {
  const { id, display_name: name, internal_review_status: status, revision, own } = seller;
  const goOn = useNextInQueue();
  const review = useSend('reviewSeller', {
    done: (reply) => storeReply('getSeller', { path: { seller_id: id } }, { ...seller, ...reply }),
  });
  return (
    <>
      <section>
        <h2>{decisionsTexts.title}</h2>
        <Decisions
          operation="reviewSeller"
          target={id}
          name={name}
          revision={revision}
          own={own}
          choices={choicesOf(seller)}
          of={review}
          onDecide={async (body) => {
            const reply = await review.send({ path: { seller_id: id }, body });
            if (reply)
              await goOn(
                decisionsTexts.done[body.decision](name),
                status === 'pending_review' ? { kind: 'seller', target_id: id } : undefined,
              );
            return reply !== undefined;
          }}
        />
      </section>
      <Application seller={seller} />
      <Payments seller={seller} />
    </>
  );
}

function Application({ seller }: { seller: Seller }) {
  const { internal_review_status: status, review_due_at, applied_at, review_note, site_url, contact_email, support_email } = seller;
  const { invoice_registration_number: invoice } = seller;
  return (
    <section>
      <h2>{texts.application}</h2>
      <Facts
        of={[
          [decisionsTexts.state, <State key="state" of="seller" value={status} />],
          [decisionsTexts.due, review_due_at && <Due key="due" at={review_due_at} />],
          [texts.applied, applied_at && <When key="applied" at={applied_at} />],
          [texts.note, review_note && <SellerText key="note" text={review_note} multiline />],
          [texts.name, <SellerText key="name" text={seller.display_name} />],
          [texts.site, site_url && <SellerLink key="site" href={site_url} />],
          [texts.contact, contact_email && <SellerText key="contact" text={contact_email} />],
          [texts.support, support_email && <SellerText key="support" text={support_email} />],
          [texts.invoice, invoice && <code key="invoice">{invoice}</code>],
          [texts.owner, <SellerText key="owner" text={seller.owner_user_id} />],
          [texts.created, <When key="created" at={seller.created_at} />],
        ]}
      />
    </section>
  );
}

function Payments({ seller }: { seller: Seller }) {
  const { payment_connected_account_id: account, payment_requirements_due: wanted = [], payment_disabled_reason: reason } = seller;
  const yes = (value: boolean | undefined) => value !== undefined && (value ? texts.yes : texts.no);
  return (
    <section>
      <h2>{decisionsTexts.payments}</h2>
      <Facts
        of={[
          [texts.onboarding, <State key="onboarding" of="onboarding" value={seller.payment_onboarding_status} />],
          [texts.charges, yes(seller.payment_charges_enabled)],
          [texts.payouts, yes(seller.payment_payouts_enabled)],
          [texts.wanted, wanted.length > 0 && <SellerText key="wanted" text={wanted.join('\n')} multiline />],
          [texts.disabled, reason && <SellerText key="reason" text={reason} />],
          [texts.account, account && <SellerText key="account" text={account} />],
        ]}
      />
    </section>
  );
}

function Products({ products }: { products: List<ItemOf<'listProductsForReview'>> }) {
  return (
    <section>
      <h2>{texts.products}</h2>
      <LoadedList of={products} none={<Empty text={texts.noProducts} />}>
        {(rows) => (
          <DataTable
            label={texts.products}
            rows={rows}
            columns={[
              {
                name: decisionsTexts.product,
                of: ({ id, name, price_amount, currency }) => (
                  <>
                    <a href={`/console/admin/products/${id}`}>
                      <SellerText text={name} />
                    </a>
                    <small class="second">{formatPrice(price_amount, currency)}</small>
                  </>
                ),
              },
              {
                name: decisionsTexts.state,
                of: ({ status, pending }) => (
                  <>
                    <State of="product" value={status} />
                    {pending?.status === 'pending_review' && <small class="second">{texts.pendingChange}</small>}
                  </>
                ),
              },
              {
                name: decisionsTexts.blockers,
                of: ({ sale_blockers }) => sale_blockers.map((one) => <div key={one}>{wordOf('sale_blocker', one)}</div>),
              },
            ]}
          />
        )}
      </LoadedList>
    </section>
  );
}
