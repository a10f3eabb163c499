import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { useAnnouncements } from '../../components/live.tsx';
import { State } from '../../components/state.tsx';
import { Due, When } from '../../components/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { formatBytes } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { texts as decisionsTexts } from '../decisions/decisions-texts.ts';
import { DownloadFile, FileChecks } from '../decisions/file-checks.tsx';
import { isBeingChecked, type ReviewedFile } from '../decisions/reviewed-file.ts';
import type { ReviewedProduct } from './comparison.ts';
import { fileChoices } from './file-choices.ts';
import { FileDecisions } from './file-decisions.tsx';
import { waitingKind } from './product-choices.ts';
import { texts } from './products-texts.ts';

/** So many files come with a product. */
const maxFiles = 100;

/** The files of a product, those first that wait; each with what was found out about it and what can be decided. */
export function ProductFiles({ product }: { product: ReviewedProduct }) {
  const { files } = product;
  useAnnouncements(
    Object.fromEntries(
      files.map((file) => [file.file_id, `${file.filename}: ${wordOf('hash', file.hash_status)}, ${wordOf('scan', file.scan_status)}`]),
    ),
  );
  const sorted = files.toSorted((a, b) => placeOf(a) - placeOf(b));
  return (
    <section>
      <h2>{decisionsTexts.files}</h2>
      {files.length === 0 && <Empty text={texts.noFiles} />}
      {files.length >= maxFiles && <p>{texts.newest}</p>}
      {files.length > 0 && <p class="small">{decisionsTexts.careful}</p>}
      <ul class="plain stack">
        {sorted.map((file) => (
          <FileCard key={file.file_id} file={file} product={product} />
        ))}
      </ul>
    </section>
  );
}

const order: readonly string[] = ['pending_review', 'approved', 'upload_pending'];
/** What is of no use any more comes last. */
const placeOf = ({ status }: ReviewedFile) => (order.includes(status) ? order.indexOf(status) : order.length);

function FileCard({ file, product }: { file: ReviewedFile; product: ReviewedProduct }) {
  const { file_id, filename, status, uploaded_at, review_due_at, rejected_reason, sha256_hex, verified_sha256_hex } = file;
  const hasOtherHash = verified_sha256_hex !== undefined && verified_sha256_hex !== sha256_hex;
  return (
    <li class="card" data-id={file_id}>
      <div class="head">
        <h3>
          <SellerText text={filename} />
        </h3>
        {isStored(file) && <DownloadFile productId={product.id} fileId={file_id} name={filename} />}
      </div>
      <p>
        <State of="file" value={status} /> {status === 'approved' && wordOf('visibility', file.visibility)}{' '}
        {review_due_at && <Due at={review_due_at} />}
      </p>
      <FileChecks file={file} own={product.own} />
      <Facts
        of={[
          [
            texts.type,
            <SellerText key="type" text={`${wordOf('purpose', file.purpose)} · ${file.content_type} · ${formatBytes(file.size_bytes)}`} />,
          ],
          [texts.uploaded, uploaded_at && <When key="uploaded" at={uploaded_at} />],
          ['SHA-256', sha256_hex && <code key="hash">{sha256_hex}</code>],
          [texts.verifiedHash, hasOtherHash && <code key="stored">{verified_sha256_hex}</code>],
          [texts.reason, rejected_reason && <SellerText key="reason" text={rejected_reason} multiline />],
        ]}
      />
      <FileDecisions file={file} own={product.own} choices={fileChoices(file)} isLast={!isLeft(product, file_id)} />
    </li>
  );
}

const isStored = ({ status, scan_status }: ReviewedFile) =>
  status !== 'upload_pending' && status !== 'rejected' && scan_status !== 'infected';

/** Whether this screen has something else to decide on now. */
const isLeft = (product: ReviewedProduct, decided: string): boolean =>
  waitingKind(product) !== undefined ||
  product.files.some(
    (file) => file.file_id !== decided && file.status === 'pending_review' && file.purpose !== 'release' && !isBeingChecked(file),
  );
