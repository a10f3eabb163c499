import { fill, find, inPattern } from '../dom.ts';
import type { PurchasedFile } from './purchase.ts';

/** What a row shows and downloads. */
type ListedFile = Pick<PurchasedFile, 'file_id' | 'file_name' | 'sha256_hex'>;

export type Download = (file: ListedFile, row: HTMLElement) => Promise<void>;

/** A row for each file, to download it; `inWords` says how large it is and what it needs. */
export function fileRows<File extends ListedFile>(files: readonly File[], inWords: (file: File) => string, download: Download): Node[] {
  const template = find<HTMLTemplateElement>('[data-file-row]');
  if (!template) return [];
  return files.map((file) => {
    const fragment = document.importNode(template.content, true);
    const row = find('li', fragment);
    fill('file-name', file.file_name, fragment);
    fill('file-size', inWords(file), fragment);
    fill('file-hash', file.sha256_hex, fragment);
    const button = find<HTMLButtonElement>('[data-download]', fragment);
    button?.setAttribute('aria-label', inPattern(button.dataset['namePattern'], { file: file.file_name }));
    if (row) button?.addEventListener('click', () => void download(file, row));
    return fragment;
  });
}
