import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Release } from '../../../../../build/client.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { useSend } from '../../api/sends.ts';
import { useOutdated } from '../../api/use-outdated.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announceDone } from '../../components/live.tsx';
import { texts as partsTexts } from '../../components/parts-texts.ts';
import { type ButtonKind, SendButton } from '../../components/send-button.tsx';
import { NumberField, TextArea } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { wholeNumber } from '../../forms/values.ts';
import { fields, texts } from './release-texts.ts';
import type { ReleaseProps } from './use-release.ts';

type MoveProps = Pick<ReleaseProps, 'release' | 'keep'>;

export const pathOf = ({ product_id, id }: Release) => ({ product_id, release_id: id });

/** The pressed button is gone, so the heading takes the focus. */
export function announceAndFocusHeading(label: string): void {
  announceDone(label);
  document.querySelector('h1')?.focus();
}

const said = {
  submitRelease: { label: texts.submit, notDone: texts.notSubmitted },
  withdrawRelease: { label: texts.back, notDone: texts.notBack },
};

/** A move that one press makes: into the review as the release was last read. */
export function TransitionButton({
  operation,
  release,
  keep,
  kind = 'main',
  disabled = false,
  onFailure,
  children,
}: MoveProps & {
  operation: 'submitRelease' | 'withdrawRelease';
  kind?: ButtonKind;
  disabled?: boolean;
  onFailure?: (failure: ApiFailure | undefined) => void;
  /** Other buttons beside its own. */
  children?: ComponentChildren;
}) {
  const { label, notDone } = said[operation];
  const { send, sending, failure, forget } = useSend(operation, {
    done(body) {
      keep(body);
      announceAndFocusHeading(label);
    },
  });
  useOutdated(failure);
  useEffect(() => onFailure?.(failure), [failure]);
  // What was missing then may be present now.
  useEffect(() => {
    if (failure?.code === 'release_incomplete') forget();
  }, [release.revision]);
  const path = pathOf(release);
  const press = () => void send(operation === 'submitRelease' ? { path, body: { expected_revision: release.revision } } : { path });
  return (
    <>
      {failure && <FailureNotice failure={failure} notDone={notDone} onRetry={disabled ? undefined : press} />}
      <div class="buttons">
        <SendButton operation={operation} target={release.id} sending={sending} kind={kind} disabled={disabled} onPress={press}>
          {label}
        </SendButton>
        {children}
      </div>
    </>
  );
}

/** Publishes what was approved, or sets to how many what is published is offered. */
export function Publish({ release, keep }: MoveProps) {
  const isFirst = release.status === 'approved';
  const label = isFirst ? texts.publish : texts.share;
  const edit = useEdit({
    key: `release:${release.id}:publish`,
    base: { rollout_percent: String(release.rollout_percent ?? 100) },
  });
  const { send, failure } = useSend('publishRelease', { done: keep });
  useOutdated(failure);
  const bodyOf = ({ rollout_percent }: typeof edit.values) => ({ rollout_percent: wholeNumber(rollout_percent) });
  return (
    <Form
      operation="publishRelease"
      target={release.id}
      edit={edit}
      submit={label}
      check={(values) => bodyFaults('publishRelease', bodyOf(values), values)}
      onSend={async (values) => {
        const published = await send({ path: pathOf(release), body: { ...bodyOf(values), expected_revision: release.revision } });
        if (published && isFirst) announceAndFocusHeading(label);
        return published && { values };
      }}
      failure={failure}
      notDone={isFirst ? texts.notPublished : texts.notShared}
    >
      <NumberField name="rollout_percent" label={fields.rollout_percent} hint={texts.shareHint} />
    </Form>
  );
}

/** Takes what is published back for good. */
export function Yank({ release, keep }: MoveProps) {
  const [isOpen, setOpen] = useState(false);
  const edit = useEdit({ key: `release:${release.id}:yank`, base: { reason: '' } });
  const { send, failure } = useSend('yankRelease', { done: keep });
  useOutdated(failure);
  return (
    <>
      <button type="button" class="button danger" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {texts.yank}
      </button>
      <Dialog title={`${texts.yank}: ${release.version}`} open={isOpen} onClose={() => setOpen(false)}>
        <p>{texts.yankText}</p>
        <Form
          operation="yankRelease"
          target={release.id}
          edit={edit}
          asks
          submit={texts.yank}
          kind="danger"
          check={(values) => bodyFaults('yankRelease', values, values)}
          onSend={async (values) => {
            const yanked = await send({ path: pathOf(release), body: values });
            if (yanked) announceAndFocusHeading(texts.yank);
            return yanked && { values };
          }}
          failure={failure}
          notDone={texts.notYanked}
          actions={
            <button type="button" class="button quiet" onClick={() => setOpen(false)}>
              {partsTexts.cancel}
            </button>
          }
        >
          <TextArea name="reason" label={fields.reason} most={500} rows={3} />
        </Form>
      </Dialog>
    </>
  );
}
