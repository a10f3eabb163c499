import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import * as z from 'zod/mini';
import type { Release } from '../../../../../build/client.ts';
import { PublishReleaseRequest, yankReason } from '../../../../../shared/releases/release-request.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { useSend } from '../../api/sends.ts';
import { faultsIn } from '../../forms/faults.ts';
import { NumberField, TextArea } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { wholeNumber } from '../../forms/values.ts';
import { announce } from '../../frame/live.tsx';
import { AskFirst } from '../../parts/ask-first.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { type ButtonKind, SendButton } from '../../parts/send-button.tsx';
import { releasesHref } from './release-links.ts';
import { say } from './release-texts.ts';
import { useOutdated } from './use-release.ts';

interface MoveProps {
  release: Release;
  /** The release moved: it is this now. */
  keep: (release: Release) => void;
}

const pathOf = ({ product_id, id }: Release) => ({ product_id, release_id: id });

/** What was pressed is gone, so the screen's heading takes the focus. */
export function goOn(text: string) {
  announce(text);
  document.querySelector('h1')?.focus();
}

/** A move that one press makes: in the first direction as the release was last read. */
export function Move({
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
  const text = say.moves[operation];
  const { send, sending, failure, forget } = useSend(operation, {
    done(body) {
      keep(body);
      goOn(text.done);
    },
  });
  useOutdated(failure);
  useEffect(() => onFailure?.(failure), [failure]);
  // What it lacked then it may have by now.
  useEffect(() => {
    if (failure?.code === 'release_incomplete') forget();
  }, [release.revision]);
  const path = pathOf(release);
  return (
    <>
      {failure && <FailureNotice failure={failure} what={text.not} />}
      <div class="buttons">
        <SendButton
          operation={operation}
          target={release.id}
          sending={sending}
          kind={kind}
          disabled={disabled}
          onPress={() => void send(operation === 'submitRelease' ? { path, body: { expected_revision: release.revision } } : { path })}
        >
          {text.do}
        </SendButton>
        {children}
      </div>
    </>
  );
}

/** Publishes what was approved, or sets to how many what is published is offered. */
export function Publish({ release, keep }: MoveProps) {
  const isFirst = release.status === 'approved';
  const text = isFirst ? say.moves.publish : say.moves.share;
  const edit = useEdit({
    key: `release:${release.id}:publish`,
    base: { rollout_percent: String(isFirst ? 100 : release.rollout_percent) },
  });
  const { send, failure } = useSend('publishRelease', { done: keep });
  useOutdated(failure);
  const bodyOf = ({ rollout_percent }: typeof edit.values) => ({ rollout_percent: wholeNumber(rollout_percent) });
  return (
    <Form
      operation="publishRelease"
      target={release.id}
      edit={edit}
      submit={text.do}
      check={(values) => faultsIn(PublishReleaseRequest, bodyOf(values), values)}
      onSend={async (values) => {
        const published = await send({ path: pathOf(release), body: { ...bodyOf(values), expected_revision: release.revision } });
        if (!published) return undefined;
        if (isFirst) goOn(text.done);
        return { values };
      }}
      failure={failure}
      what={text.not}
    >
      <NumberField name="rollout_percent" label={say.fields.rollout_percent} hint={say.hints.rollout} />
    </Form>
  );
}

const Reason = z.object({ reason: yankReason });

/** Takes what is published back for good. */
export function Yank({ release, keep }: MoveProps) {
  const text = say.moves.yank;
  const [isOpen, setOpen] = useState(false);
  const edit = useEdit({ key: `release:${release.id}:yank`, base: { reason: '' } });
  const { send, failure } = useSend('yankRelease', { done: keep });
  useOutdated(failure);
  return (
    <>
      <button type="button" class="button danger" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {text.do}
      </button>
      <Dialog title={say.yankTitle(release.version)} open={isOpen} onClose={() => setOpen(false)}>
        <p>{say.yankText}</p>
        <Form
          operation="yankRelease"
          target={release.id}
          edit={edit}
          asks
          submit={text.do}
          check={(values) => faultsIn(Reason, values, values)}
          onSend={async (values) => {
            if (!(await send({ path: pathOf(release), body: values }))) return undefined;
            goOn(text.done);
            return { values };
          }}
          failure={failure}
          what={text.not}
        >
          <TextArea name="reason" label={say.fields.reason} most={500} rows={3} />
        </Form>
      </Dialog>
    </>
  );
}

/** Deletes a draft, and goes to the list. */
export function Delete({ release }: Pick<MoveProps, 'release'>) {
  const { route } = useLocation();
  return (
    <AskFirst
      operation="deleteRelease"
      args={() => ({ path: pathOf(release) })}
      ask={say.delete}
      title={say.deleteTitle(release.version)}
      said={say.deleted(release.version)}
      done={() => route(releasesHref(release.product_id), true)}
    >
      <p>{say.deleteText}</p>
    </AskFirst>
  );
}
