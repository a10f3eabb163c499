import { newId } from '../../../shared/ids.ts';
import type { ProductFileRecord } from '../../../shared/product-files/product-file.ts';

/** A file whose upload is awaited. */
export const sampleFile = (change: Partial<ProductFileRecord> = {}): ProductFileRecord => ({
  id: newId('file'),
  productId: newId('product'),
  sellerId: newId('seller'),
  purpose: 'download',
  fileName: 'a.zip',
  contentType: 'application/zip',
  sizeBytes: 10,
  sha256Hex: 'a'.repeat(64),
  status: 'upload_pending',
  visibility: 'private',
  hashStatus: 'unverified',
  scanStatus: 'not_scanned',
  scanTrustedClean: false,
  scanTrustSource: 'none',
  storageProvider: 'objstore',
  storageBucket: 'files',
  storageKey: 'files/x/y',
  createdAt: '2026-01-31T09:00:00.000Z',
  uploadExpiresAt: '2026-01-31T09:00:00.000Z',
  waitingScans: [],
  scanWaits: 0,
  revision: 1,
  ...change,
});
