import type { Seller } from '../../../../../build/client.ts';
import { useRead } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { Facts } from '../../components/facts.tsx';
import { State } from '../../components/state.tsx';
import { Due, When } from '../../components/when.tsx';
import { TextField } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { SellerLink, SellerText } from '../../text/seller-text.tsx';
import { texts } from './account-texts.ts';
import { applicationOf, canSubmitApplication, changedContacts, contactsOf } from './seller-values.ts';

interface ApplicationProps {
  seller: Seller | undefined;
  /** Takes what the service has after it was handed in. */
  onSeller: (seller: Seller) => void;
}

/** How the application stands, what the reviewer wrote, and the form where it can be handed in. */
export function Application({ seller, onSeller }: ApplicationProps) {
  if (!seller) {
    return (
      <>
        <p>{texts.lead}</p>
        <ApplicationForm seller={seller} onSeller={onSeller} />
      </>
    );
  }
  const { internal_review_status: status, review_due_at, review_note } = seller;
  return (
    <>
      <p class="buttons">
        <State of="seller" value={status} />
        {review_due_at && (
          <span>
            {texts.due} <Due at={review_due_at} />
          </span>
        )}
      </p>
      {texts.review[status] && <p>{texts.review[status]}</p>}
      {review_note && (
        <div class="notice warn">
          <h3>{texts.note}</h3>
          <p>
            <SellerText text={review_note} multiline />
          </p>
        </div>
      )}
      {canSubmitApplication(seller) ? <ApplicationForm seller={seller} onSeller={onSeller} /> : <ApplicationFacts seller={seller} />}
      {status === 'pending_review' && (
        <details>
          <summary>{texts.change}</summary>
          <p>{texts.changeLead}</p>
          <ApplicationForm seller={seller} onSeller={onSeller} />
        </details>
      )}
    </>
  );
}

const ApplicationFacts = ({ seller: { display_name, site_url, applied_at } }: { seller: Seller }) => (
  <Facts
    of={[
      [texts.displayName, <SellerText key="name" text={display_name} />],
      [texts.site, site_url && <SellerLink href={site_url} />],
      [texts.applied, applied_at && <When at={applied_at} />],
    ]}
  />
);

function ApplicationForm({ seller, onSeller }: ApplicationProps) {
  const { body: me } = useRead('getMe', {});
  const { send, failure } = useSend('createSeller', { done: onSeller });
  const edit = useEdit({ key: 'seller:application', base: applicationOf(seller, me?.email) });
  return (
    <Form
      operation="createSeller"
      edit={edit}
      check={(values) => bodyFaults('createSeller', values, values)}
      submit={seller ? texts.again : texts.apply}
      notDone={texts.notApplied}
      failure={failure}
      onSend={async (body) => {
        const handedIn = await send({ body });
        return handedIn && { values: applicationOf(handedIn) };
      }}
    >
      <TextField name="display_name" label={texts.displayName} hint={texts.displayNameHint} autocomplete="organization" most={200} />
      <TextField name="site_url" type="url" label={texts.site} hint={texts.siteHint} autocomplete="url" />
      <ContactFields />
    </Form>
  );
}

/** Where a seller is reached, and what is changed without a review beside that. */
const ContactFields = () => (
  <>
    <TextField name="contact_email" type="email" label={texts.contact} hint={texts.contactHint} autocomplete="email" />
    <TextField name="support_email" type="email" label={texts.support} hint={texts.supportHint} autocomplete="email" />
    <TextField name="invoice_registration_number" label={texts.invoice} hint={texts.invoiceHint} isCode optional />
  </>
);

/** Where the seller is reached, to be changed without a review. */
export function ContactsForm({ seller, onSeller }: { seller: Seller; onSeller: (seller: Seller) => void }) {
  const { send, failure } = useSend('updateOwnSeller', { done: onSeller });
  const edit = useEdit({ key: 'seller:contacts', base: contactsOf(seller) });
  return (
    <Form
      operation="updateOwnSeller"
      edit={edit}
      check={(values) => bodyFaults('updateOwnSeller', values, values)}
      failure={failure}
      onSend={async (values) => {
        const saved = await send({ body: changedContacts(values, edit.latest().base) });
        return saved && { values: contactsOf(saved) };
      }}
    >
      <ContactFields />
    </Form>
  );
}
