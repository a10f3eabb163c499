import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { SoldActivation, SoldOrder } from '../../../../build/client.ts';
import type { ArgsOf } from '../api/call.ts';
import { AskFirst } from '../components/ask-first.tsx';
import { DataTable, More } from '../components/data-table.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { State } from '../components/state.tsx';
import { When } from '../components/when.tsx';
import { DialogFields } from '../fields/dialog-fields.tsx';
import type { Fault } from '../forms/faults.ts';
import { useEdit } from '../forms/use-edit.ts';
import { SellerText } from '../text/seller-text.tsx';
import type { NotDone } from '../words/not-done.ts';
import { texts } from './orders-texts.ts';

/** The headings, to which the focus goes where a button is gone. */
export const licenseTitleId = 'license';
const devicesTitleId = 'devices';

interface LicenseSectionProps {
  license: Omit<NonNullable<SoldOrder['license']>, 'activations'>;
  /** What a role is told besides. */
  facts?: readonly Fact[];
  /** What it can do about the license. */
  children: ComponentChildren;
}

/** What a license is worth. */
export function LicenseSection({ license, facts = [], children }: LicenseSectionProps) {
  const { status, activation_count, activation_limit, features, updates_until, expires_at, revoked_at, revoked_reason } = license;
  return (
    <section class="stack">
      <h2 tabIndex={-1} id={licenseTitleId}>
        {texts.license} <State of="license" value={status} />
      </h2>
      <Facts
        of={[
          [texts.keyEnd, <code key="hint">{license.license_key_hint}</code>],
          [texts.seats, texts.seatsOf(activation_count, activation_limit)],
          [texts.features, features.length > 0 && <SellerText text={features.join(', ')} />],
          [texts.issued, <When key="issued" at={license.issued_at} />],
          [texts.updates, updates_until && <When at={updates_until} />],
          [texts.ends, expires_at && <When at={expires_at} />],
          [texts.revoked, revoked_at && <When at={revoked_at} />],
          [texts.reason, revoked_reason && <SellerText text={revoked_reason} multiline />],
          ...facts,
        ]}
      />
      {children}
    </section>
  );
}

const noReason = { reason: '' };

interface AskWithReasonProps<Id extends 'revokeLicense' | 'suspendLicense'> {
  operation: Id;
  id: string;
  argsOf: (body: { reason?: string }) => ArgsOf<Id>;
  ask: string;
  title?: string;
  text: string;
  notDone: NotDone;
  said?: string;
  /** What is wrong with the reason, before it is sent. */
  check?: (body: { reason?: string }) => Fault[];
  /** The field of the reason. */
  children: ComponentChildren;
}

/** A button that takes something from a license, and may say why. */
export function AskWithReason<Id extends 'revokeLicense' | 'suspendLicense'>({
  id,
  argsOf,
  text,
  check,
  children,
  ...asked
}: AskWithReasonProps<Id>) {
  const edit = useEdit({ key: `${asked.operation}/${id}`, base: noReason });
  const reason = edit.values.reason.trim();
  const body = reason === '' ? {} : { reason };
  return (
    <p class="buttons">
      <AskFirst
        {...asked}
        args={() => argsOf(body)}
        focusAfter={licenseTitleId}
        done={() => edit.saved(edit.latest().values, { values: noReason })}
      >
        <p>{text}</p>
        <DialogFields id={`reason-${id}`} edit={edit} faults={check?.(body) ?? []}>
          {children}
        </DialogFields>
      </AskFirst>
    </p>
  );
}

/** A page of devices; its role says what they are called, how a seat is freed, and what comes after `next`. */
interface DevicesProps<Device, Id extends 'releaseActivation' | 'releaseSoldActivation'> {
  devices: readonly Device[];
  nameOf: (device: Device) => string;
  operation: Id;
  argsOf: (activation_id: string) => ArgsOf<Id>;
  next: string | undefined;
  later: (cursor: string) => ComponentChildren;
}

type Device = Omit<SoldActivation, 'name'>;

/** The section of a license's devices. */
export const DevicesSection = ({ children }: { children: ComponentChildren }) => (
  <section class="stack">
    <h2 tabIndex={-1} id={devicesTitleId}>
      {texts.devices}
    </h2>
    {children}
  </section>
);

/** The devices that have or had a seat; those with one can lose it. */
export function Devices<D extends Device, Id extends 'releaseActivation' | 'releaseSoldActivation'>(props: DevicesProps<D, Id>) {
  const { devices, nameOf, operation, argsOf, next, later } = props;
  const [goesOn, setGoesOn] = useState(false);
  if (devices.length === 0) return <p>{texts.noDevices}</p>;
  return (
    <>
      <DataTable
        label={texts.devices}
        rows={devices}
        columns={[
          { name: texts.device, of: (device) => <SellerText text={nameOf(device)} /> },
          { name: texts.taken, of: ({ activated_at }) => <When at={activated_at} /> },
          {
            name: texts.freed,
            of: (device) =>
              device.deactivated_at ? (
                <When at={device.deactivated_at} />
              ) : (
                <AskFirst
                  operation={operation}
                  args={() => argsOf(device.id)}
                  target={device.id}
                  ask={texts.release}
                  label={`${texts.release}: ${nameOf(device)}`}
                  title={`${texts.release}: ${nameOf(device)}`}
                  notDone={texts.notReleased}
                  focusAfter={devicesTitleId}
                >
                  <p>{texts.releaseText}</p>
                </AskFirst>
              ),
          },
        ]}
      />
      {next !== undefined && (goesOn ? later(next) : <More of={{ more: () => setGoesOn(true), loadingMore: false }} />)}
    </>
  );
}
