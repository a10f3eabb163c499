import type { ProductFile } from '../../../../../build/client.ts';
import { type List, readAgain } from '../../api/reads.ts';
import { FileField } from '../../forms/file-field.tsx';
import { config } from '../../frame/config.ts';
import { useNews } from '../../frame/live.tsx';
import { AskFirst } from '../../parts/ask-first.tsx';
import { DataTable, More } from '../../parts/data-table.tsx';
import { State } from '../../parts/state.tsx';
import { Uploads } from '../../uploads/upload-list.tsx';
import { startUpload } from '../../uploads/uploads.ts';
import { formatBytes } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { checkOf, usableFiles, versionsByFile } from './release-files.ts';
import { fields, say } from './release-texts.ts';
import type { ReleaseProps } from './use-release.ts';

/** Where files for releases come from, and how their checks stand. */
export function UploadedFiles({ release, releases, files }: ReleaseProps & { files: List<ProductFile> }) {
  const productId = release.product_id;
  const versions = versionsByFile([...releases, release]);
  const usable = usableFiles(files.body ?? []);
  useNews(Object.fromEntries(usable.map((file) => [file.id, `${file.file_name}: ${wordOf(...checkOf(file))}`])));
  return (
    <section class="stack">
      <h2 id="uploads" tabIndex={-1}>
        {say.uploads}
      </h2>
      <form onSubmit={(event) => event.preventDefault()}>
        <FileField
          label={say.upload}
          operation="createProductFileUploadIntent"
          hint={say.nameHint}
          multiple
          forgets
          onFiles={(chosen) => {
            const maxBytes = config.get()?.limits.max_file_bytes;
            for (const file of chosen) startUpload({ productId, purpose: 'release', file, ...(maxBytes && { maxBytes }) });
          }}
        />
      </form>
      <Uploads productId={productId} purpose="release" onEnd={readAgain} />
      {usable.length > 0 && (
        <>
          <DataTable
            label={say.uploads}
            rows={usable}
            idOf={({ id }) => id}
            columns={[
              { name: fields.file_id, of: ({ file_name }) => file_name },
              {
                name: say.checks,
                of: (file) => {
                  const [kind, value] = checkOf(file);
                  return <State of={kind} value={value} />;
                },
              },
              { name: say.size, of: ({ size_bytes }) => formatBytes(size_bytes), number: true },
              {
                name: say.usedIn,
                of: ({ id, file_name }) =>
                  versions.get(id) ?? (
                    <AskFirst
                      operation="withdrawProductFile"
                      args={() => ({ path: { product_id: productId, file_id: id } })}
                      target={id}
                      ask={say.remove}
                      label={`${say.remove}: ${file_name}`}
                      focusAfter="uploads"
                    >
                      <p>{say.removeText(file_name)}</p>
                    </AskFirst>
                  ),
              },
            ]}
          />
          <p class="small">{say.unused}</p>
        </>
      )}
      <More of={files} />
    </section>
  );
}
