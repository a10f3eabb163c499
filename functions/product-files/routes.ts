import { createUploadIntent } from './create-upload-intent.ts';
import { finalizeFile } from './finalize-file.ts';
import { listFileParts } from './list-file-parts.ts';
import { listFiles } from './list-files.ts';
import { signFileParts } from './sign-file-parts.ts';
import { withdrawFile } from './withdraw-file.ts';

export const routes = [createUploadIntent, signFileParts, listFileParts, finalizeFile, withdrawFile, listFiles];
