import { copyOf, fill, find, inPattern } from '../dom.ts';
import type { PurchasedFile } from './purchase.ts';

/** What a row shows and downloads. */
type ListedFile = Pick<PurchasedFile, 'file_id' | 'file_name' | 'sha256_hex'>;

export type Download = (file: ListedFile, row: HTMLElement) => Promise<void>;

/** A row for each file, to download it; `inWords` says how large it is and what it needs. */
export function fileRows<File extends ListedFile>(
  files: readonly File[],
  inWords: (file: File) => string,
  download: Download,
): HTMLElement[] {
  return files.map((file) => {
    const row = copyOf('[data-file-row]');
    fill('file-name', file.file_name, row);
    fill('file-size', inWords(file), row);
    fill('file-hash', file.sha256_hex, row);
    const button = find('[data-download]', row);
    button?.setAttribute('aria-label', inPattern(button.dataset['namePattern'], { file: file.file_name }));
    button?.addEventListener('click', () => void download(file, row));
    return row;
  });
}
