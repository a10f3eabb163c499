import { useSend } from '../../api/sends.ts';
import type { Choice } from '../decisions/decision.ts';
import { Decisions } from '../decisions/decisions.tsx';
import type { ReviewedFile } from '../decisions/reviewed-file.ts';
import { say } from './releases-texts.ts';

const choices: readonly Choice<'mark_manual_clean'>[] = [
  {
    decision: 'mark_manual_clean',
    kind: 'quiet',
    effects: [say.vouchEffect],
    fields: [{ name: 'manual_scan_clean_reason', label: say.vouch, most: 500 }],
  },
];

/** Vouches for a file that no trusted scanner vouches for, without which its release cannot be approved. */
export function Vouch({ file, own }: { file: ReviewedFile; own: boolean }) {
  const { product_id, file_id, status, hash_status, scan_status, scan_trusted_clean } = file;
  const review = useSend('reviewProductFile');
  const isRead = hash_status === 'unverified' || hash_status === 'verified';
  const isPossible = !own && status === 'pending_review' && isRead && scan_status !== 'infected' && !scan_trusted_clean;
  return (
    <Decisions
      operation="reviewProductFile"
      target={file_id}
      name={file.filename}
      own={false}
      quiet
      choices={isPossible ? choices : []}
      of={review}
      onDecide={async (decision, written) => {
        const reply = await review.send({ path: { product_id, file_id }, body: { ...written, decision } });
        return reply && say.vouched;
      }}
    />
  );
}
