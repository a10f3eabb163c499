import type { HistoryItem } from '../../../../../build/client.ts';
import { ChangeLicenseRequest } from '../../../../../shared/licenses/change-license.ts';
import { useSend } from '../../api/sends.ts';
import { faultsIn } from '../../forms/faults.ts';
import { DateField, NumberField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { announce } from '../../frame/live.tsx';
import { AskFirst } from '../../parts/ask-first.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { State } from '../../parts/state.tsx';
import { When } from '../../parts/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { faultsInTerms, termsBody, termValues } from './license-terms.ts';
import { say } from './orders-texts.ts';
import type { SoldLicense } from './sale.ts';
import { nextSuspension } from './suspension.ts';

/** What the license of a sale is worth, and what its seller can do about it. */
export function OrderLicense({ orderId, license, history }: { orderId: string; license: SoldLicense; history: readonly HistoryItem[] }) {
  const { status, activation_count: taken, activation_limit: most } = license;
  const next = nextSuspension(status, history);
  return (
    <section class="stack" id="license">
      <h2 tabIndex={-1} id="license-title">
        {say.license} <State of="license" value={status} />
      </h2>
      <Facts
        of={[
          [say.keyEnd, <code>{license.license_key_hint}</code>],
          [say.keys, wordOf('issuance', license.license_issuance_mode)],
          [
            say.seats,
            <>
              {say.seatsOf(taken, most)} {taken > most && <span class="small">{say.over}</span>}
            </>,
          ],
          [say.features, license.features.length > 0 && <SellerText text={license.features.join(', ')} />],
          [say.issued, <When at={license.issued_at} />],
          [say.updatesUntil, license.updates_until && <When at={license.updates_until} />],
          [say.expires, license.expires_at && <When at={license.expires_at} />],
          [say.revoked, license.revoked_at && <When at={license.revoked_at} />],
          [say.reason, license.revoked_reason && <SellerText text={license.revoked_reason} />],
        ]}
      />
      {next === 'reinstate' && status !== 'suspended' && <p>{say.alsoSuspended}</p>}
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
  const id = `reason-${orderId}`;
  return (
    <p class="buttons">
      <AskFirst
        operation="suspendLicense"
        args={() => ({ path: { order_id: orderId }, ...(reason !== '' && { body: { reason } }) })}
        ask={say.suspend}
        title={say.suspendTitle}
        said={say.suspended}
        focusAfter="license-title"
        done={() => edit.saved(edit.values, { values: noReason })}
      >
        <p>{say.suspendText}</p>
        <div class="field">
          <label for={id}>
            {say.reason} <small>{say.optional}</small>
          </label>
          <input
            id={id}
            name="reason"
            autocomplete="off"
            value={edit.values.reason}
            onInput={({ currentTarget }) => edit.set('reason', currentTarget.value)}
          />
        </div>
      </AskFirst>
    </p>
  );
}

function Reinstate({ orderId }: { orderId: string }) {
  const { send, sending, failure } = useSend('reinstateLicense', {
    done() {
      announce(say.reinstated);
      document.getElementById('license-title')?.focus();
    },
  });
  return (
    <>
      {failure && <FailureNotice failure={failure} what={say.notReinstated} />}
      <p class="buttons">
        <SendButton operation="reinstateLicense" kind="quiet" sending={sending} onPress={() => void send({ path: { order_id: orderId } })}>
          {say.reinstate}
        </SendButton>
      </p>
    </>
  );
}

/** The form of what a seller may set of a license. */
function Terms({ orderId, license }: { orderId: string; license: SoldLicense }) {
  const edit = useEdit({ key: `license:${orderId}`, base: termValues(license) });
  const { send, failure } = useSend('changeLicense');
  return (
    <>
      <h3>{say.terms}</h3>
      <Form
        operation="changeLicense"
        target={orderId}
        edit={edit}
        submit={say.save}
        check={(values) => [...faultsInTerms(values, license), ...faultsIn(ChangeLicenseRequest, termsBody(values, license), values)]}
        failure={failure}
        what={say.notSaved}
        onSend={async (values) => {
          const body = await send({ path: { order_id: orderId }, body: termsBody(values, license) });
          return body && { values: termValues(body) };
        }}
      >
        <NumberField name="activation_limit" label={say.limit} hint={say.limitHint} />
        {license.updates_until !== undefined && <DateField name="updates_until" label={say.updatesUntil} hint={say.untilHint} />}
      </Form>
    </>
  );
}
