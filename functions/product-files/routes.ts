import { createUploadIntentRoute } from './create-upload-intent.ts';
import { finalizeFileRoute } from './finalize-file.ts';
import { listFilePartsRoute } from './list-file-parts.ts';
import { listFilesRoute } from './list-files.ts';
import { signFilePartsRoute } from './sign-file-parts.ts';
import { withdrawFileRoute } from './withdraw-file.ts';

export const routes = [
  createUploadIntentRoute,
  signFilePartsRoute,
  listFilePartsRoute,
  finalizeFileRoute,
  withdrawFileRoute,
  listFilesRoute,
];
