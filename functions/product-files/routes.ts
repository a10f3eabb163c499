import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { ProductFileService } from '../../shared/product-files/product-file-service.ts';
import { createUploadIntent } from './create-upload-intent.ts';
import { finalizeFile } from './finalize-file.ts';
import { listFiles } from './list-files.ts';
import { withdrawFile } from './withdraw-file.ts';

export interface ProductFileServices {
  productFiles: ProductFileService;
}

export const routes: readonly Endpoint<ProductFileServices>[] = [createUploadIntent, finalizeFile, withdrawFile, listFiles];
