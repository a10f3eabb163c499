import { useState } from 'preact/hooks';
import type { BodyOf } from '../../api/call.ts';
import { useRead } from '../../api/reads.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { DialogFields } from '../../fields/dialog-fields.tsx';
import { TextArea } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { useEdit } from '../../forms/use-edit.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { texts } from './orders-texts.ts';

type License = BodyOf<'getLicense'>;

/** What a license is worth, and who has its seats. */
export function OrderLicense({ id }: { id: string }) {
  const license = useRead('getLicense', { path: { license_id: id }, query: { limit: 100 } });
  return (
    <Loaded of={license}>
      {(body) => (
        <>
          <section class="stack">
            <h2 tabIndex={-1} id="license-title">
              {texts.license} <State of="license" value={body.status} />
            </h2>
            <LicenseFacts license={body} />
            {body.status !== 'revoked' && <Revoke id={id} />}
          </section>
          <section class="stack">
            <h2 tabIndex={-1} id="devices-title">
              {texts.devices}
            </h2>
            {body.activations.length === 0 ? <p>{texts.noDevices}</p> : <Devices license={body} />}
          </section>
        </>
      )}
    </Loaded>
  );
}

function LicenseFacts({ license }: { license: License }) {
  const { activation_count, activation_limit, features, updates_until, expires_at, revoked_at, revoked_by, revoked_reason } = license;
  return (
    <Facts
      of={[
        [texts.keyEnd, <code key="hint">{license.license_key_hint}</code>],
        [texts.keys, wordOf('issuance', license.license_issuance_mode)],
        [texts.seats, texts.seatsOf(activation_count, activation_limit)],
        [texts.features, features.length > 0 && <SellerText text={features.join(', ')} />],
        [texts.issued, <When key="issued" at={license.issued_at} />],
        [texts.updates, updates_until && <When at={updates_until} />],
        [texts.ends, expires_at && <When at={expires_at} />],
        [texts.revokedAt, revoked_at && <When at={revoked_at} />],
        [texts.revokedBy, revoked_by && <SellerText text={revoked_by} />],
        [texts.reason, revoked_reason && <SellerText text={revoked_reason} multiline />],
      ]}
    />
  );
}

const noReason = { reason: '' };

function Revoke({ id }: { id: string }) {
  const edit = useEdit({ key: `revokeLicense/${id}`, base: noReason });
  const reason = edit.values.reason.trim();
  const body = reason === '' ? {} : { reason };
  return (
    <p class="buttons">
      <AskFirst
        operation="revokeLicense"
        args={() => ({ path: { license_id: id }, body })}
        ask={texts.revoke}
        title={texts.revokeTitle}
        notDone={texts.notRevoked}
        said={texts.revoked}
        focusAfter="license-title"
        done={() => edit.saved(edit.latest().values, { values: noReason })}
      >
        <p>{texts.revokeText}</p>
        <DialogFields id={`revoke-${id}`} edit={edit} faults={bodyFaults('revokeLicense', body)}>
          <TextArea name="reason" label={texts.reason} optional most={500} rows={3} />
        </DialogFields>
      </AskFirst>
    </p>
  );
}

/** The devices that have or had a seat; those with one can lose it. */
function Devices({ license: { id, activations, next_cursor } }: { license: License }) {
  const [goesOn, setGoesOn] = useState(false);
  return (
    <>
      <DataTable
        label={texts.devices}
        rows={activations}
        idOf={(device) => device.id}
        columns={[
          { name: texts.device, of: ({ device_label }) => (device_label ? <SellerText text={device_label} /> : texts.unnamed) },
          { name: texts.since, of: ({ activated_at }) => <When at={activated_at} /> },
          { name: texts.freed, of: ({ deactivated_at }) => (deactivated_at ? <When at={deactivated_at} /> : texts.hasSeat) },
          {
            name: texts.release,
            of: (device) => device.deactivated_at === undefined && <Release licenseId={id} device={device} />,
          },
        ]}
      />
      {next_cursor !== undefined && !goesOn && (
        <p>
          <button type="button" class="button quiet" onClick={() => setGoesOn(true)}>
            {texts.moreDevices}
          </button>
        </p>
      )}
      {next_cursor !== undefined && goesOn && <LaterDevices id={id} cursor={next_cursor} />}
    </>
  );
}

function LaterDevices({ id, cursor }: { id: string; cursor: string }) {
  const page = useRead('getLicense', { path: { license_id: id }, query: { limit: 100, cursor } });
  return <Loaded of={page}>{(license) => <Devices license={license} />}</Loaded>;
}

function Release({ licenseId, device }: { licenseId: string; device: License['activations'][number] }) {
  const title = texts.releaseOf(device.device_label ?? texts.unnamed);
  return (
    <AskFirst
      operation="releaseActivation"
      args={() => ({ path: { license_id: licenseId, activation_id: device.id } })}
      target={device.id}
      ask={texts.release}
      label={title}
      title={title}
      notDone={texts.notReleased}
      said={texts.released}
      focusAfter="devices-title"
    >
      <p>{texts.releaseText}</p>
    </AskFirst>
  );
}
