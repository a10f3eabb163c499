import { useEffect, useState } from 'preact/hooks';
import type { Product, ProductFile, PublicProduct } from '../../../../../build/client.ts';
import { type List, refresh, useList } from '../../api/reads.ts';
import { More } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { useAnnouncements } from '../../components/live.tsx';
import { Select } from '../../components/select.tsx';
import { FileField } from '../../fields/file-field.tsx';
import { config } from '../../frame/config.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { useStore } from '../../store/use-store.ts';
import { Uploads } from '../../uploads/upload-list.tsx';
import { startUpload, uploads } from '../../uploads/uploads.ts';
import { formatBytes, formatCount } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { hasLive } from '../products/product.ts';
import { ProductPart } from '../products/product-tabs.tsx';
import { isGone, picturesByFile, pollEvery } from './file-facts.ts';
import { FileTable } from './file-table.tsx';
import { texts } from './files-texts.ts';

/** Most products have no more. */
const perPage = 100;
const purposes = ['download', 'image'] as const;
type Purpose = (typeof purposes)[number];

/** The files of a product that buyers get or see: how each stands, and the way to more. */
export function FilesScreen() {
  const path = { product_id: useParam('product_id') };
  const files = useList('listProductFiles', { path, query: { limit: perPage } }, { every: (read) => pollEvery(read, Date.now()) });
  const shown = files.body?.filter(({ purpose }) => purpose !== 'release');
  useAnnouncements(
    shown && Object.fromEntries(shown.filter((file) => file.uploaded_at && !isGone(file)).map((file) => [file.id, newsOf(file)])),
  );
  return (
    <ProductPart title={texts.title}>
      {(body) => (
        <>
          <p>{texts.lead}</p>
          {body.status === 'suspended' ? <p class="notice warn">{texts.suspended}</p> : <UploadForm productId={body.id} />}
          <Uploads productId={body.id} onEnd={refresh} />
          <Loaded of={files}>{() => <Groups product={body} files={files} shown={shown ?? []} />}</Loaded>
          <More of={files} />
        </>
      )}
    </ProductPart>
  );
}

/** How a file stands, in words: what changed by itself is said. */
const newsOf = ({ file_name, status, hash_status, scan_status }: ProductFile): string =>
  `${file_name}: ${wordOf('file', status)}, ${texts.hash} ${wordOf('hash', hash_status)}, ${texts.scan} ${wordOf('scan', scan_status)}`;

function UploadForm({ productId }: { productId: string }) {
  const [purpose, setPurpose] = useState<Purpose>('download');
  const maxBytes = useStore(config)?.limits.max_file_bytes;
  const isPicture = purpose === 'image';
  return (
    <form class="card" data-target={productId} onSubmit={(event) => event.preventDefault()}>
      <h2>{texts.upload}</h2>
      <Select
        name="purpose"
        label={texts.purpose}
        value={purpose}
        options={purposes.map((one) => [one, texts.purposes[one]] as const)}
        onChange={(value) => setPurpose(value === 'image' ? 'image' : 'download')}
      />
      <FileField
        label={texts.file}
        operation="createProductFileUploadIntent"
        hint={isPicture ? texts.pictureMost : maxBytes === undefined ? '' : texts.most(formatBytes(maxBytes))}
        {...(isPicture && { accept: 'image/png,image/jpeg,image/webp' })}
        multiple
        forgets
        onFiles={(chosen) => {
          for (const file of chosen) startUpload({ productId, purpose, file, ...(maxBytes && { maxBytes }) });
        }}
      />
    </form>
  );
}

function Groups({ product, files, shown }: { product: Product; files: List<ProductFile>; shown: readonly ProductFile[] }) {
  const sent = useStore(uploads);
  const pictures = usePictures(product, shown.filter(({ purpose, status }) => purpose === 'image' && status === 'approved').length);
  // What this tab uploads is shown as that.
  const there = shown.filter(
    ({ status, file_name, size_bytes }) =>
      status !== 'upload_pending' || !sent.some(({ fileName, sizeBytes }) => fileName === file_name && sizeBytes === size_bytes),
  );
  const gone = there.filter(isGone);
  return (
    <>
      {purposes.map((purpose) => {
        const own = there.filter((file) => file.purpose === purpose && !isGone(file));
        const isSoldByCode = purpose === 'download' && product.license_issuance_mode === 'imported_csv';
        return (
          <section key={purpose} class="stack">
            <h2 id={purpose} tabIndex={-1}>
              {texts.groups[purpose]}
            </h2>
            {own.length > 0 && <FileTable label={texts.groups[purpose]} titleId={purpose} files={own} pictures={pictures} />}
            {own.length === 0 && !files.more && <Empty text={isSoldByCode ? texts.codesDo : texts.none[purpose]} />}
            {purpose === 'image' && own.some(({ status }) => status === 'pending_review') && <p class="small">{texts.previewed}</p>}
          </section>
        );
      })}
      {gone.length > 0 && (
        <details class="stack">
          <summary>{texts.gone(formatCount(gone.length))}</summary>
          <FileTable label={texts.gone(formatCount(gone.length))} titleId="download" files={gone} />
        </details>
      )}
    </>
  );
}

/** Where the pictures of a product are that buyers see, by their files, of which so many are approved. Without them the screen lacks nothing but their sight. */
function usePictures(product: Product, approved: number): ReadonlyMap<string, string> {
  const [pictures, setPictures] = useState<ReadonlyMap<string, string>>(new Map());
  const slug = approved > 0 && hasLive(product) ? product.slug : undefined;
  useEffect(() => {
    if (slug !== undefined) void findPictures(slug).then(setPictures);
  }, [slug, approved]);
  return pictures;
}

/** As anybody may ask: the interface tells a seller of a file, but not where its picture is. */
async function findPictures(slug: string): Promise<ReadonlyMap<string, string>> {
  const reply = await fetch(`/v1/public/products/${encodeURIComponent(slug)}`, { credentials: 'omit' }).catch(() => undefined);
  if (!reply?.ok) return new Map();
  const { images = [] }: PublicProduct = await reply.json();
  return picturesByFile(images);
}
