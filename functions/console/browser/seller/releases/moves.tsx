import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import * as z from 'zod/mini';
import type { Release } from '../../../../../build/client.ts';
import { PublishReleaseRequest, yankReason } from '../../../../../shared/releases/release-request.ts';
import type { OperationId } from '../../api/call.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { readAgain } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { faultsIn } from '../../forms/faults.ts';
import { NumberField, TextArea } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { wholeNumber } from '../../forms/values.ts';
import { say as sayForms } from '../../forms/words.ts';
import { announce } from '../../frame/live.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { say as sayParts } from '../../parts/parts-texts.ts';
import { type ButtonKind, SendButton } from '../../parts/send-button.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { type Lack, lacksIn } from './lacks.ts';
import { releasesHref } from './release-links.ts';
import { say } from './release-texts.ts';

export interface MoveProps {
  release: Release;
  /** The release moved: it is this now. */
  keep: (release: Release) => void;
}

const pathOf = ({ product_id, id }: Release) => ({ product_id, release_id: id });

/** What was pressed is gone, so the screen's heading takes the focus. */
function moved(text: string) {
  announce(text);
  document.querySelector('h1')?.focus();
}

/** A move that nobody can make any more shows what the release has become. */
function useNews(failure: ApiFailure | undefined) {
  useEffect(() => {
    if (failure && ['stale_review', 'release_state_conflict', 'release_not_found'].includes(failure.code)) void readAgain();
  }, [failure]);
}

function Move(props: {
  operation: OperationId;
  release: Release;
  sending: boolean;
  failure: ApiFailure | undefined;
  kind?: ButtonKind;
  disabled?: boolean;
  button: string;
  onSend: () => void;
  children?: ComponentChildren;
}) {
  const { operation, release, sending, failure, kind, disabled, button, onSend, children } = props;
  useNews(failure);
  return (
    <form
      data-target={release.id}
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending && !disabled) onSend();
      }}
    >
      {children}
      {failure && <FailureNotice failure={failure} />}
      <SendButton operation={operation} sending={sending} {...(kind && { kind })} disabled={disabled ?? false}>
        {button}
      </SendButton>
    </form>
  );
}

/** Hands a draft in, as it was last read. */
export function Submit({ release, keep, isUnsaved, lacks }: MoveProps & { isUnsaved: boolean; lacks: readonly Lack[] }) {
  const { send, sending, failure } = useSend('submitRelease', {
    done(body) {
      keep(body);
      moved(say.submitted);
    },
  });
  const refused = failure?.code === 'release_incomplete' ? lacksIn(failure.message) : [];
  return (
    <>
      <Lacks lacks={lacks.length > 0 ? lacks : refused} release={release} />
      <Move
        operation="submitRelease"
        release={release}
        sending={sending}
        failure={failure}
        disabled={isUnsaved}
        button={say.submit}
        onSend={() => void send({ path: pathOf(release), body: { expected_revision: release.revision } })}
      >
        <p>{isUnsaved ? say.unsaved : say.submitText}</p>
      </Move>
    </>
  );
}

function Lacks({ lacks, release: { artifacts } }: { lacks: readonly Lack[]; release: Release }) {
  if (lacks.length === 0) return <p>{say.lacksNone}</p>;
  return (
    <div class="notice warn">
      <p>{say.lacks}</p>
      <ul>
        {lacks.map(({ at, field, text }) => (
          <li key={`${at} ${field}`}>
            {at !== undefined && <SellerText text={`${artifacts[at]?.file_name ?? at + 1}: `} />}
            {sayForms.fault(nameOf(field), sayForms.told(text))}
          </li>
        ))}
      </ul>
    </div>
  );
}

const names: Readonly<Record<string, string>> = say.fields;
const nameOf = (field: string) => names[field] ?? field;

/** Takes a release that is not published back to be a draft. */
export function Withdraw({ release, keep }: MoveProps) {
  const { send, sending, failure } = useSend('withdrawRelease', {
    done(body) {
      keep(body);
      moved(say.backDone);
    },
  });
  return (
    <Move
      operation="withdrawRelease"
      release={release}
      sending={sending}
      failure={failure}
      kind="quiet"
      button={say.back}
      onSend={() => void send({ path: pathOf(release) })}
    />
  );
}

/** Publishes what was approved, or sets to how many what is published is offered. */
export function Publish({ release, keep }: MoveProps) {
  const isFirst = release.status === 'approved';
  const rolloutPercent = String(release.rollout_percent ?? 100);
  const edit = useEdit({ key: `release:${release.id}:publish`, base: { rollout_percent: isFirst ? '100' : rolloutPercent } });
  const { send, failure } = useSend('publishRelease', { done: keep });
  useNews(failure);
  const bodyOf = ({ rollout_percent }: typeof edit.values) => ({ rollout_percent: wholeNumber(rollout_percent) });
  return (
    <Form
      operation="publishRelease"
      target={release.id}
      edit={edit}
      submit={isFirst ? say.publish : say.rollout}
      check={(values) => faultsIn(PublishReleaseRequest, bodyOf(values), values)}
      onSend={async (values) => {
        const body = { ...bodyOf(values), expected_revision: release.revision };
        const published = await send({ path: pathOf(release), body });
        if (!published) return undefined;
        if (isFirst) moved(say.published);
        else announce(say.rolloutDone(body.rollout_percent));
        return { values };
      }}
      failure={failure}
      what={isFirst ? say.not.published : say.not.shared}
    >
      <NumberField name="rollout_percent" label={say.fields.rollout_percent} hint={say.hints.rollout} />
    </Form>
  );
}

/** Takes what is published back for good. */
export function Yank({ release, keep }: MoveProps) {
  const [isOpen, setOpen] = useState(false);
  const edit = useEdit({ key: `release:${release.id}:yank`, base: { reason: '' } });
  const { send, failure } = useSend('yankRelease', { done: keep });
  useNews(failure);
  return (
    <>
      <button type="button" class="button danger" onClick={() => setOpen(true)}>
        {say.yank}
      </button>
      <Dialog title={say.yankTitle(release.version)} open={isOpen} onClose={() => setOpen(false)}>
        <p>{say.yankText}</p>
        <Form
          operation="yankRelease"
          target={release.id}
          edit={edit}
          submit={say.yank}
          check={(values) => faultsIn(Reason, values, values)}
          onSend={async ({ reason }) => {
            const yanked = await send({ path: pathOf(release), body: { reason } });
            if (!yanked) return undefined;
            moved(say.yanked);
            return { values: { reason } };
          }}
          kind="danger"
          failure={failure}
          what={say.not.yanked}
          actions={
            <button type="button" class="button quiet" onClick={() => setOpen(false)}>
              {sayParts.cancel}
            </button>
          }
        >
          <TextArea name="reason" label={say.fields.reason} hint={say.yankHint} most={500} rows={3} />
        </Form>
      </Dialog>
    </>
  );
}

const Reason = z.object({ reason: yankReason });

/** Deletes a draft, and goes to the list. */
export function Delete({ release }: Pick<MoveProps, 'release'>) {
  const { route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const { send, sending, failure } = useSend('deleteRelease', {
    done() {
      announce(say.deleted(release.version));
      route(releasesHref(release.product_id), true);
    },
  });
  useNews(failure);
  return (
    <>
      <button type="button" class="button quiet" onClick={() => setOpen(true)}>
        {say.deleteDraft}
      </button>
      <ConfirmDialog
        operation="deleteRelease"
        target={release.id}
        title={say.deleteTitle(release.version)}
        confirm={say.deleteDraft}
        kind="danger"
        open={isOpen}
        sending={sending}
        failure={failure}
        onConfirm={() => void send({ path: pathOf(release) })}
        onClose={() => setOpen(false)}
      >
        <p>{say.deleteText}</p>
      </ConfirmDialog>
    </>
  );
}
