import type { Seller } from '../../../../../build/client.ts';
import { useSend } from '../../api/sends.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { texts } from './account-texts.ts';
import { ContactFields } from './application.tsx';
import { changedContacts, contactFaults, contactsOf } from './seller-values.ts';

/** Where the seller is reached, to be changed without a review. */
export function ContactsForm({ seller, onSeller }: { seller: Seller; onSeller: (seller: Seller) => void }) {
  const { send, failure } = useSend('updateOwnSeller', { done: onSeller });
  const edit = useEdit({ key: 'seller:contacts', base: contactsOf(seller) });
  return (
    <Form
      operation="updateOwnSeller"
      edit={edit}
      check={contactFaults}
      submit={texts.save}
      notDone={texts.notSaved}
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
