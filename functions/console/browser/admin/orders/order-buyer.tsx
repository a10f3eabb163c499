import { useState } from 'preact/hooks';
import type { BodyOf } from '../../api/call.ts';
import { useSend } from '../../api/sends.ts';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announce } from '../../components/live.tsx';
import { Secret } from '../../components/secret.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { TextField } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { wordOf } from '../../words/words.ts';
import { texts } from './orders-texts.ts';

type Mail = NonNullable<BodyOf<'getOrder'>['completion_mail']>;

/** What reaches the buyer of a paid order, who is not shown. */
export function OrderBuyer({ id, status, mail }: { id: string; status: string; mail: Mail | undefined }) {
  const isHeld = status === 'refunded' || status === 'disputed';
  return (
    <section class="stack">
      <h2>{texts.buyer}</h2>
      <Facts
        of={[
          [
            texts.mail,
            mail ? (
              <>
                <State of="mail" value={mail.state} /> {mail.bounce && wordOf('bounce', mail.bounce)} <When at={mail.at} />
              </>
            ) : (
              texts.noMail
            ),
          ],
        ]}
      />
      {mail?.address_suppressed && <p class="notice warn">{texts.suppressed}</p>}
      {isHeld && <p>{texts.held}</p>}
      <Resend id={id} />
      <Correction id={id} />
      <Token id={id} />
    </section>
  );
}

function Resend({ id }: { id: string }) {
  const [sent, setSent] = useState('');
  const { send, sending, failure } = useSend('resendOrderLink', {
    done({ last_mail }) {
      const text = `${texts.resent} ${last_mail ? texts.lastMail(wordOf('mail', last_mail.state)) : ''}`;
      setSent(text);
      announce(text);
    },
  });
  const press = () => {
    setSent('');
    void send({ path: { order_id: id } });
  };
  return (
    <>
      {failure && <FailureNotice failure={failure} notDone={texts.notResent} />}
      <p class="buttons">
        <SendButton operation="resendOrderLink" kind="quiet" sending={sending} onPress={press}>
          {texts.resend}
        </SendButton>
        <span class="small">{sent || texts.resendText}</span>
      </p>
    </>
  );
}

const nothing = { buyer_email: '' };

function Correction({ id }: { id: string }) {
  const { send, failure } = useSend('correctOrderEmail', { done: () => announce(texts.corrected) });
  // Whose address it is: never a draft.
  const edit = useEdit({ key: `buyer-email:${id}`, base: nothing, draft: false });
  return (
    <>
      <h3>{texts.correct}</h3>
      <p class="small">
        {texts.approveEffects} {texts.linksEnd}
      </p>
      <Form
        operation="correctOrderEmail"
        target={id}
        edit={edit}
        submit={texts.save}
        asks
        check={(values) => bodyFaults('correctOrderEmail', values, values)}
        failure={failure}
        notDone={texts.notCorrected}
        onSend={async (body) => ((await send({ path: { order_id: id }, body })) ? { values: nothing } : undefined)}
      >
        <TextField name="buyer_email" label={texts.email} type="email" />
      </Form>
    </>
  );
}

/** The token is nowhere but in this component, and gone with it. */
function Token({ id }: { id: string }) {
  const [made, setMade] = useState<BodyOf<'createCompletionToken'>>();
  const { send, sending, failure } = useSend('createCompletionToken', { done: setMade });
  return (
    <>
      <h3>{texts.token}</h3>
      <p class="small">{texts.tokenText}</p>
      {failure && <FailureNotice failure={failure} notDone={texts.notMade} />}
      {made ? (
        <>
          <Secret label={texts.tokenLabel} value={made.completion_token} onDone={() => setMade(undefined)} />
          <p>
            <a href={made.completion_url} target="_blank" rel="noopener noreferrer">
              {texts.open}
            </a>{' '}
            <small>
              {texts.until} <When at={made.expires_at} />
            </small>
          </p>
        </>
      ) : (
        <p class="buttons">
          <SendButton
            operation="createCompletionToken"
            kind="quiet"
            sending={sending}
            onPress={() => void send({ path: { order_id: id } })}
          >
            {texts.makeToken}
          </SendButton>
        </p>
      )}
    </>
  );
}
