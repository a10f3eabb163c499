import { useSend } from '../../api/sends.ts';
import type { Choice } from '../decisions/decision.ts';
import { Decisions } from '../decisions/decisions.tsx';
import { texts } from '../decisions/decisions-texts.ts';
import { useNextInQueue } from '../decisions/next-in-queue.tsx';
import type { ReviewedFile } from '../decisions/reviewed-file.ts';
import { type FileDecision, isVisibility } from './file-choices.ts';

interface FileDecisionsProps {
  file: ReviewedFile;
  own: boolean;
  choices: readonly Choice<FileDecision>[];
  /** Whether the screen has nothing else to decide on once this file is decided on. */
  isLast?: boolean;
}

/** What can be decided on a file, beside others. */
export function FileDecisions({ file, own, choices, isLast = false }: FileDecisionsProps) {
  const { product_id, file_id, filename, status } = file;
  const goOn = useNextInQueue();
  const review = useSend('reviewProductFile');
  return (
    <Decisions
      operation="reviewProductFile"
      target={file_id}
      name={filename}
      own={own}
      small
      choices={choices}
      of={review}
      onDecide={async ({ visibility, ...body }) => {
        const reply = await review.send({
          path: { product_id, file_id },
          body: { ...body, ...(isVisibility(visibility) && { visibility }) },
        });
        if (!reply) return false;
        const said = texts.done[status === 'approved' && body.decision === 'approve' ? 'visibility' : body.decision](filename);
        const isDone = status === 'pending_review' && reply.status !== status;
        await goOn(said, isDone && isLast ? { kind: 'file', target_id: file_id } : undefined);
        return true;
      }}
    />
  );
}
