import type { Seller } from '../../../../../build/client.ts';
import { useRead } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { TextField } from '../../fields/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { Facts } from '../../parts/facts.tsx';
import { State } from '../../parts/state.tsx';
import { Due, When } from '../../parts/when.tsx';
import { SellerLink, SellerText } from '../../text/seller-text.tsx';
import { say } from './account-texts.ts';
import { applicationFaults, applicationOf, isToHandIn } from './seller-values.ts';

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
        <p>{say.lead}</p>
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
            {say.due} <Due at={review_due_at} />
          </span>
        )}
      </p>
      {say.review[status] && <p>{say.review[status]}</p>}
      {review_note && (
        <div class="notice warn">
          <h3>{say.note}</h3>
          <p>
            <SellerText text={review_note} multiline />
          </p>
        </div>
      )}
      {isToHandIn(seller) ? <ApplicationForm seller={seller} onSeller={onSeller} /> : <ApplicationFacts seller={seller} />}
      {status === 'pending_review' && (
        <details>
          <summary>{say.change}</summary>
          <p>{say.changeLead}</p>
          <ApplicationForm seller={seller} onSeller={onSeller} />
        </details>
      )}
    </>
  );
}

const ApplicationFacts = ({ seller: { display_name, site_url, applied_at } }: { seller: Seller }) => (
  <Facts
    of={[
      [say.displayName, <SellerText key="name" text={display_name} />],
      [say.site, site_url && <SellerLink href={site_url} />],
      [say.applied, applied_at && <When at={applied_at} />],
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
      check={applicationFaults}
      submit={seller ? say.again : say.apply}
      notDone={say.notApplied}
      failure={failure}
      onSend={async (body) => {
        const handedIn = await send({ body });
        return handedIn && { values: applicationOf(handedIn) };
      }}
    >
      <TextField name="display_name" label={say.displayName} hint={say.displayNameHint} autocomplete="organization" most={200} />
      <TextField name="site_url" type="url" label={say.site} hint={say.siteHint} autocomplete="url" />
      <ContactFields />
    </Form>
  );
}

/** Where a seller is reached, and what is changed without a review beside that. */
export const ContactFields = () => (
  <>
    <TextField name="contact_email" type="email" label={say.contact} hint={say.contactHint} autocomplete="email" />
    <TextField name="support_email" type="email" label={say.support} hint={say.supportHint} autocomplete="email" />
    <TextField name="invoice_registration_number" label={say.invoice} hint={say.invoiceHint} isCode optional />
  </>
);
