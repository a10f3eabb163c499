import { useState } from 'preact/hooks';
import type { BodyOf } from '../../api/call.ts';
import { useSend } from '../../api/sends.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Secret } from '../../components/secret.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { When } from '../../components/when.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { AddressForm, BuyerSection } from '../../orders/buyer-section.tsx';
import { texts } from './orders-texts.ts';

/** What reaches the buyer of a paid order, the way to another address, and to what the buyer sees. */
export const OrderBuyer = ({ order }: { order: BodyOf<'getOrder'> }) => (
  <BuyerSection order={order} resend="resendOrderLink" suppressed={texts.suppressed}>
    <h3>{texts.correct}</h3>
    <p class="small">
      {texts.approveEffects} {texts.linksEnd}
    </p>
    <AddressForm
      operation="correctOrderEmail"
      id={order.id}
      submit={texts.save}
      notDone={texts.notCorrected}
      said={texts.corrected}
      check={(values) => bodyFaults('correctOrderEmail', values, values)}
    />
    <Token id={order.id} />
  </BuyerSection>
);

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
