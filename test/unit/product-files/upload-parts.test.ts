import { describe, expect, test } from '@jest/globals';
import {
  isMultipartFile,
  partCountOf,
  partSizeBytes,
  requireAllParts,
  requirePartsOpen,
  SignFilePartsRequest,
  type StoredPart,
  sizeOfPart,
} from '../../../shared/product-files/parts/upload-parts.ts';
import { codeOf } from '../../support/outcome-of.ts';
import { sampleFile } from '../../support/samples/sample-file.ts';

const now = new Date('2026-01-31T09:00:00.000Z');
const parts = { uploadId: 'u', partSizeBytes: 10, expiresAt: '2026-01-31T09:00:00.001Z' };

/** A file of so many bytes in parts of ten. */
function fileOf(sizeBytes: number) {
  const file = sampleFile({ sizeBytes, parts });
  if (!isMultipartFile(file)) throw new Error('It has no parts.');
  return file;
}
const stored = (...sizes: number[]) =>
  sizes.map((sizeBytes, index): StoredPart => ({ partNumber: index + 1, sizeBytes, etag: '', sha256Hex: '' }));

describe('the parts of a file', () => {
  test.each([
    [1, [1]],
    [10, [10]],
    [11, [10, 1]],
    [20, [10, 10]],
    [39, [10, 10, 10, 9]],
  ])('of %d bytes are of one size, but the last', (sizeBytes, sizes) => {
    expect(partCountOf(sizeBytes, 10)).toBe(sizes.length);
    expect(sizes.map((_, index) => sizeOfPart(fileOf(sizeBytes), index + 1))).toEqual(sizes);
    expect(codeOf(() => sizeOfPart(fileOf(sizeBytes), sizes.length + 1))).toBe('invalid_request');
  });

  test('are the whole file only if each is there, in its size', () => {
    const check = (found: StoredPart[]) => codeOf(() => requireAllParts(fileOf(25), found));
    expect(check(stored(10, 10, 5))).toBeUndefined();
    expect(check([])).toBe('upload_not_found');
    expect(check(stored(10, 10))).toBe('upload_not_found');
    expect(check(stored(10, 10, 5, 1))).toBe('upload_not_found');
    expect(check(stored(10, 10, 5).map((part) => ({ ...part, partNumber: part.partNumber + 1 })))).toBe('upload_not_found');
    expect(check(stored(10, 10, 4))).toBe('file_mismatch');
    expect(check(stored(9, 10, 5))).toBe('file_mismatch');
  });

  test('can be stored while their file waits for its upload, and until its time is over', () => {
    const check = (change: object) => codeOf(() => requirePartsOpen(sampleFile({ parts, ...change }), now));
    expect(check({})).toBeUndefined();
    expect(check({ parts: { ...parts, expiresAt: now.toISOString() } })).toBe('file_state_conflict');
    expect(check({ parts: undefined })).toBe('file_state_conflict');
    expect(check({ storageKey: undefined })).toBe('file_state_conflict');
    for (const status of ['pending_review', 'approved', 'rejected', 'disabled']) expect(check({ status })).toBe('file_state_conflict');
  });

  test.each([
    [8 * 1024 ** 2 - 1, false],
    [8 * 1024 ** 2, true],
    [64 * 1024 ** 2, true],
    [64 * 1024 ** 2 + 1, false],
    [9e6 + 0.5, false],
    ['8388608', false],
    [null, false],
  ])('may be of %p bytes: %p', (size, isTaken) => {
    expect(partSizeBytes.safeParse(size).success).toBe(isTaken);
  });

  const hash = 'a'.repeat(64);
  const asked = (...numbers: number[]) => numbers.map((partNumber) => ({ partNumber, sha256Hex: hash }));
  const inARow = (count: number) => asked(...Array.from({ length: count }, (_, index) => index + 1));
  test.each<[unknown, string | undefined]>([
    [inARow(16), undefined],
    [undefined, 'parts is missing'],
    [[], 'parts must be a list of at least 1'],
    [inARow(17), 'parts must be a list of at most 16'],
    [asked(2, 2), 'parts must hold each part_number once'],
    [asked(0), 'parts,0,partNumber must be at least 1'],
    [asked(1.5), 'parts,0,partNumber must be a whole number'],
    [[{ partNumber: 1, sha256Hex: 'abc' }], 'parts,0,sha256Hex must be 64 hexadecimal digits'],
  ])('are signed as %j, or refused: %s', (parts, fault) => {
    const { error } = SignFilePartsRequest.safeParse({ parts });
    expect(error?.issues.map(({ path, message }) => `${path} ${message}`)).toEqual(fault && [fault]);
  });
});
