import type { HistoryItem, SoldOrder } from '../../../../../build/client.ts';
import { useSend } from '../../api/sends.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announceDone } from '../../components/live.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { DialogFields } from '../../fields/dialog-fields.tsx';
import { DateField, NumberField, TextField } from '../../fields/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { LicenseSection, licenseTitleId } from '../../orders/license-section.tsx';
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
      {next === 'suspend' && <Suspend orderId={orderId} />}
      {next === 'reinstate' && <Reinstate orderId={orderId} />}
      {license.status !== 'revoked' && <Terms orderId={orderId} license={license} />}
    </LicenseSection>
  );
}

const noReason = { reason: '' };

function Suspend({ orderId }: { orderId: string }) {
  const edit = useEdit({ key: `suspend:${orderId}`, base: noReason });
  const reason = edit.values.reason.trim();
  return (
    <div>
      <AskFirst
        operation="suspendLicense"
        args={() => ({ path: { order_id: orderId }, ...(reason !== '' && { body: { reason } }) })}
        ask={texts.suspend}
        notDone={texts.notSuspended}
        focusAfter={licenseTitleId}
        done={() => edit.saved(edit.values, { values: noReason })}
      >
        <p>{texts.suspendText}</p>
        <DialogFields id="suspension" edit={edit}>
          <TextField name="reason" label={ordersTexts.reason} optional most={500} />
        </DialogFields>
      </AskFirst>
    </div>
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
      submit={texts.save}
      check={(values) => faultsInTerms(values, license)}
      failure={failure}
      notDone={texts.notSaved}
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
