import type { HistoryItem, SoldOrder } from '../../../../../build/client.ts';
import { useSend } from '../../api/sends.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announceDone } from '../../components/live.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { DialogFields } from '../../fields/dialog-fields.tsx';
import { DateField, NumberField, TextField } from '../../fields/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { faultsInTerms, termsBody, termValues } from './license-terms.ts';
import { texts } from './orders-texts.ts';
import { nextSuspension } from './suspension.ts';

const titleId = 'license';

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
  const { status, updates_until, expires_at, revoked_at, revoked_reason } = license;
  const next = nextSuspension(status, history);
  return (
    <section class="stack">
      <h2 tabIndex={-1} id={titleId}>
        {texts.license} <State of="license" value={status} />
      </h2>
      <Facts
        of={[
          [texts.keyEnd, <code>{license.license_key_hint}</code>],
          [texts.seats, texts.seatsOf(license.activation_count, license.activation_limit)],
          [texts.features, license.features.length > 0 && <SellerText text={license.features.join(', ')} />],
          [texts.issued, <When at={license.issued_at} />],
          [texts.updatesUntil, updates_until && <When at={updates_until} />],
          [texts.expires, expires_at && <When at={expires_at} />],
          [texts.revoked, revoked_at && <When at={revoked_at} />],
          [texts.reason, revoked_reason && <SellerText text={revoked_reason} />],
        ]}
      />
      {next === 'suspend' && <Suspend orderId={orderId} />}
      {next === 'reinstate' && <Reinstate orderId={orderId} />}
      {status !== 'revoked' && <Terms orderId={orderId} license={license} />}
    </section>
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
        focusAfter={titleId}
        done={() => edit.saved(edit.values, { values: noReason })}
      >
        <p>{texts.suspendText}</p>
        <DialogFields id="suspension" edit={edit}>
          <TextField name="reason" label={texts.reason} optional most={500} />
        </DialogFields>
      </AskFirst>
    </div>
  );
}

function Reinstate({ orderId }: { orderId: string }) {
  const {
    send,
    sending,
    failure,
    retry: again,
  } = useSend('reinstateLicense', {
    done() {
      announceDone(texts.reinstate);
      // The button goes.
      document.getElementById(titleId)?.focus();
    },
  });
  return (
    <>
      {failure && <FailureNotice failure={failure} notDone={texts.notReinstated} onRetry={again} />}
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
      <NumberField name="activation_limit" label={texts.seats} hint={texts.limitHint} />
      {license.updates_until !== undefined && <DateField name="updates_until" label={texts.updatesUntil} />}
    </Form>
  );
}
