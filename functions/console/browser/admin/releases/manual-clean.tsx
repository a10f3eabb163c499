import { useSend } from '../../api/sends.ts';
import { announce } from '../../components/live.tsx';
import { Decisions } from '../decisions/decisions.tsx';
import type { ReviewedFile } from '../decisions/reviewed-file.ts';
import { fileChoices } from '../products/file-choices.ts';
import { texts } from '../products/products-texts.ts';

/** Vouches for a file that no trusted scanner vouches for, without which its release cannot be approved. */
export function ManualCleanForm({ file, own }: { file: ReviewedFile; own: boolean }) {
  const { product_id, file_id, filename } = file;
  const review = useSend('reviewProductFile');
  return (
    <Decisions
      operation="reviewProductFile"
      target={file_id}
      name={filename}
      own={own}
      small
      choices={fileChoices(file).filter((choice) => choice.decision === 'manual_clean')}
      of={review}
      onDecide={async (decision, { visibility: _, ...written }) => {
        const reply = await review.send({ path: { product_id, file_id }, body: { ...written, decision } });
        if (reply) announce(texts.done[decision](filename));
        return reply !== undefined;
      }}
    />
  );
}
