import type { SoldOrder } from '../../../../../build/client.ts';
import { useSend } from '../../api/sends.ts';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announceDone } from '../../components/live.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { TextField } from '../../fields/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { SellerLink } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { texts } from './orders-texts.ts';

const nothing = { buyer_email: '' };

/** What reaches the buyer of a paid sale, who is not shown. */
export function OrderBuyer({ sale: { id, status, manage_url, completion_mail: mail, email_request: request } }: { sale: SoldOrder }) {
  const path = { order_id: id };
  const resend = useSend('resendSoldOrderLink', { done: () => announceDone(texts.resend) });
  const correction = useSend('requestEmailCorrection', { done: () => announceDone(texts.ask) });
  // Whose address it is: never a draft.
  const edit = useEdit({ key: `buyer-email:${id}`, base: nothing, draft: false });
  return (
    <section class="stack">
      <h2>{texts.buyer}</h2>
      <Facts
        of={[
          [
            texts.mail,
            mail && (
              <>
                <State of="mail" value={mail.state} /> {mail.bounce && wordOf('bounce', mail.bounce)} <When at={mail.at} />
              </>
            ),
          ],
          [texts.manage, manage_url && <SellerLink href={manage_url} />],
          [
            texts.correction,
            request && (
              <>
                {request.decision ? <State of="email_request" value={request.decision} /> : <State of="product" value="pending_review" />}{' '}
                <When at={request.requested_at} />
              </>
            ),
          ],
        ]}
      />
      {mail?.address_suppressed && <p class="notice warn">{texts.suppressed}</p>}
      {resend.failure && <FailureNotice failure={resend.failure} notDone={texts.notResent} onRetry={resend.retry} />}
      <p class="buttons">
        <SendButton operation="resendSoldOrderLink" kind="quiet" sending={resend.sending} onPress={() => void resend.send({ path })}>
          {texts.resend}
        </SendButton>
        {(status === 'refunded' || status === 'disputed') && <span class="small">{texts.resendHeld}</span>}
      </p>
      <Form
        operation="requestEmailCorrection"
        edit={edit}
        asks
        submit={texts.ask}
        failure={correction.failure}
        notDone={texts.notAsked}
        onSend={async (body) => ((await correction.send({ path, body })) ? { values: nothing } : undefined)}
      >
        <TextField name="buyer_email" label={texts.newEmail} hint={texts.correctionLead} type="email" />
      </Form>
    </section>
  );
}
