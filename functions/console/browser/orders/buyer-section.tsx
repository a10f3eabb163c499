import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { SoldOrder } from '../../../../build/client.ts';
import { useSend } from '../api/sends.ts';
import { type Fact, Facts } from '../components/facts.tsx';
import { FailureNotice } from '../components/failure-notice.tsx';
import { announce, announceDone } from '../components/live.tsx';
import { SendButton } from '../components/send-button.tsx';
import { State } from '../components/state.tsx';
import { When } from '../components/when.tsx';
import { TextField } from '../fields/fields.tsx';
import type { Fault } from '../forms/faults.ts';
import { Form } from '../forms/form.tsx';
import { useEdit } from '../forms/use-edit.ts';
import type { NotDone } from '../words/not-done.ts';
import { wordOf } from '../words/words.ts';
import { isMailHeld } from './mail-hold.ts';
import { texts } from './orders-texts.ts';

interface BuyerSectionProps {
  order: Pick<SoldOrder, 'id' | 'status' | 'completion_mail' | 'held_by'>;
  resend: 'resendOrderLink' | 'resendSoldOrderLink';
  /** What to do about an address that gets no mail any more. */
  suppressed: string;
  /** What a role is told besides. */
  facts?: readonly Fact[];
  /** What it can do besides. */
  children: ComponentChildren;
}

/** What reaches the buyer of a paid order, who is not shown. */
export function BuyerSection({ order, resend, suppressed, facts = [], children }: BuyerSectionProps) {
  const { id, completion_mail: mail } = order;
  const lastMail = mail && (
    <>
      <State of="mail" value={mail.state} /> {mail.bounce && wordOf('bounce', mail.bounce)} <When at={mail.at} />
    </>
  );
  return (
    <section class="stack">
      <h2>{texts.buyer}</h2>
      <Facts of={[[texts.mail, lastMail ?? texts.noMail], ...facts]} />
      {mail?.address_suppressed && <p class="notice warn">{suppressed}</p>}
      <Resend operation={resend} id={id} isHeld={isMailHeld(order)} />
      {children}
    </section>
  );
}

function Resend({ operation, id, isHeld }: { operation: BuyerSectionProps['resend']; id: string; isHeld: boolean }) {
  const [sent, setSent] = useState('');
  const { send, sending, failure, retry } = useSend(operation, {
    done({ last_mail }) {
      const text = `${texts.resent} ${last_mail ? texts.lastMail(wordOf('mail', last_mail.state)) : ''}`;
      setSent(text);
      announce(isHeld ? texts.held : text);
    },
  });
  const press = () => {
    setSent('');
    void send({ path: { order_id: id } });
  };
  return (
    <>
      {failure && <FailureNotice failure={failure} notDone={texts.notResent} onRetry={retry} />}
      <p class="buttons">
        <SendButton operation={operation} kind="quiet" sending={sending} onPress={press}>
          {texts.resend}
        </SendButton>
        <span class="small">{isHeld ? texts.held : sent || texts.resendText}</span>
      </p>
    </>
  );
}

const nothing = { buyer_email: '' };

interface AddressFormProps {
  operation: 'correctOrderEmail' | 'requestEmailCorrection';
  id: string;
  submit: string;
  hint?: string;
  notDone: NotDone;
  /** What is announced when it was done, where that is not plain from the button. */
  said?: string;
  check?: (values: typeof nothing) => Fault[];
}

/** Takes the buyer's right address, which is shown nowhere afterwards. */
export function AddressForm({ operation, id, submit, hint, notDone, said, check = () => [] }: AddressFormProps) {
  const { send, failure } = useSend(operation, { done: () => (said === undefined ? announceDone(submit) : announce(said)) });
  // Whose address it is: never a draft.
  const edit = useEdit({ key: `buyer-email:${id}`, base: nothing, draft: false });
  return (
    <Form
      operation={operation}
      target={id}
      edit={edit}
      submit={submit}
      asks
      check={check}
      failure={failure}
      notDone={notDone}
      onSend={async (body) => ((await send({ path: { order_id: id }, body })) ? { values: nothing } : undefined)}
    >
      <TextField name="buyer_email" label={texts.email} hint={hint} type="email" />
    </Form>
  );
}
