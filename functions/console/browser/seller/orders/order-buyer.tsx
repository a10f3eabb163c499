import { RequestEmailCorrection } from '../../../../../shared/orders/email-requests/email-request.ts';
import { useSend } from '../../api/sends.ts';
import { faultsIn } from '../../forms/faults.ts';
import { TextField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { announce } from '../../frame/live.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { State } from '../../parts/state.tsx';
import { When } from '../../parts/when.tsx';
import { wordOf } from '../../words/words.ts';
import { say } from './orders-texts.ts';
import type { Sale } from './sale.ts';

const nothing = { buyer_email: '' };

/** What reaches the buyer of a paid sale, who is not shown. */
export function OrderBuyer({ sale }: { sale: Sale }) {
  const { id, status, manage_url, completion_mail: mail, email_request: request } = sale;
  const path = { order_id: id };
  const resend = useSend('resendSoldOrderLink', { done: () => announce(say.resent) });
  const correction = useSend('requestEmailCorrection', { done: () => announce(say.asked) });
  // Whose address it is: never a draft.
  const edit = useEdit({ key: `buyer-email:${id}`, base: nothing, draft: false });
  const isHeld = status === 'refunded' || status === 'disputed';
  return (
    <section class="stack">
      <h2>{say.buyer}</h2>
      <Facts
        of={[
          [
            say.mail,
            mail ? (
              <>
                <State of="mail" value={mail.state} /> {mail.bounce && wordOf('bounce', mail.bounce)} <When at={mail.at} />
              </>
            ) : (
              say.noMail
            ),
          ],
          [
            say.manage,
            manage_url && (
              <a href={manage_url} target="_blank" rel="noopener noreferrer">
                {manage_url}
              </a>
            ),
          ],
          [
            say.correctionAsked,
            request && (
              <>
                <When at={request.requested_at} />: {request.decision === undefined ? say.open : wordOf('email_request', request.decision)}
              </>
            ),
          ],
        ]}
      />
      {mail?.address_suppressed && <p class="notice warn">{say.suppressed}</p>}
      {resend.failure && <FailureNotice failure={resend.failure} what={say.notResent} />}
      <p class="buttons">
        <SendButton operation="resendSoldOrderLink" kind="quiet" sending={resend.sending} onPress={() => void resend.send({ path })}>
          {say.resend}
        </SendButton>
        <span class="small">{isHeld ? say.resendHeld : say.resendHint}</span>
      </p>
      <h3>{say.correction}</h3>
      <p class="small">
        {say.correctionLead} {request && request.decision === undefined && say.askAgain}
      </p>
      <Form
        operation="requestEmailCorrection"
        target={id}
        edit={edit}
        asks
        submit={say.ask}
        check={(values) => faultsIn(RequestEmailCorrection, values, values)}
        failure={correction.failure}
        what={say.notAsked}
        onSend={async (body) => ((await correction.send({ path, body })) ? { values: nothing } : undefined)}
      >
        <TextField name="buyer_email" label={say.newEmail} type="email" />
      </Form>
    </section>
  );
}
