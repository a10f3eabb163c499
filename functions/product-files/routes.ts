import { createUploadIntent } from './create-upload-intent.ts';
import { finalizeFile } from './finalize-file.ts';
import { listFiles } from './list-files.ts';
import { withdrawFile } from './withdraw-file.ts';

export const routes = [createUploadIntent, finalizeFile, withdrawFile, listFiles];
