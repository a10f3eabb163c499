import type { HistoryItem, SoldOrder } from '../../../../../build/client.ts';
import { useSend } from '../../api/sends.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announceDone } from '../../components/live.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { DateField, NumberField, TextField } from '../../fields/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { AskWithReason, LicenseSection, licenseTitleId } from '../../orders/license-section.tsx';
import { texts as ordersTexts } from '../../orders/orders-texts.ts';
import { faultsInTerms, termsBody, termValues } from './license-terms.ts';
import { texts } from './orders-texts.ts';
import { nextSuspension } from './suspension.ts';

/** What the license of a sale is worth, and what its seller can do about it. */
export function OrderLicense({
  orderId,
  license,
  history,
}: {
  orderId: string;
  license: NonNullable<SoldOrder['license']>;
  history: readonly HistoryItem[];
}) {
  const next = nextSuspension(license.status, history);
  return (
    <LicenseSection license={license}>
      {next === 'suspend' && (
        <AskWithReason
          operation="suspendLicense"
          id={orderId}
          argsOf={(body) => ({ path: { order_id: orderId }, ...(body.reason && { body }) })}
          ask={texts.suspend}
          text={texts.suspendText}
          notDone={texts.notSuspended}
        >
          <TextField name="reason" label={ordersTexts.reason} optional most={500} />
        </AskWithReason>
      )}
      {next === 'reinstate' && <Reinstate orderId={orderId} />}
      {license.status !== 'revoked' && <Terms orderId={orderId} license={license} />}
    </LicenseSection>
  );
}

function Reinstate({ orderId }: { orderId: string }) {
  const { send, sending, failure, retry } = useSend('reinstateLicense', {
    done() {
      announceDone(texts.reinstate);
      // The button goes.
      document.getElementById(licenseTitleId)?.focus();
    },
  });
  return (
    <>
      {failure && <FailureNotice failure={failure} notDone={texts.notReinstated} onRetry={retry} />}
      <p>
        <SendButton operation="reinstateLicense" kind="quiet" sending={sending} onPress={() => void send({ path: { order_id: orderId } })}>
          {texts.reinstate}
        </SendButton>
      </p>
    </>
  );
}

/** The form of what a seller may set of a license. */
function Terms({ orderId, license }: { orderId: string; license: NonNullable<SoldOrder['license']> }) {
  const edit = useEdit({ key: `license:${orderId}`, base: termValues(license) });
  const { send, failure } = useSend('changeLicense');
  return (
    <Form
      operation="changeLicense"
      edit={edit}
      check={(values) => faultsInTerms(values, license)}
      failure={failure}
      onSend={async (values) => {
        const body = await send({ path: { order_id: orderId }, body: termsBody(values, license) });
        return body && { values: termValues(body) };
      }}
    >
      <NumberField name="activation_limit" label={ordersTexts.seats} hint={texts.limitHint} />
      {license.updates_until !== undefined && <DateField name="updates_until" label={ordersTexts.updates} />}
    </Form>
  );
}
