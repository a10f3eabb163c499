import { execFileSync } from 'node:child_process';
import { deflateSync } from 'node:zlib';
import { GetObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEncodePicture } from '../../../functions/file-hasher/encode-picture.ts';
import type { FileId } from '../../../shared/ids.ts';
import { testBucket } from '../../support/engines/test-object-store.ts';
import {
  blue,
  type Colour,
  decoded,
  exif,
  exifSegment,
  jpeg,
  lossyWebp,
  lossyWebpWithAlpha,
  lossyWebpWithPlainAlpha,
  type Paint,
  palettePng,
  png,
  pngChunk,
  pngEnd,
  pngHeader,
  pngStart,
  red,
  restartingJpeg,
  webp,
  webpCanvas,
  webpChunk,
  webpOf,
  withSegment,
} from '../../support/samples/pictures.ts';
import { type FileHarness, sha256Hex, startFileHarness } from '../../support/scenes/file-harness.ts';

const asImage = (content_type: string) => ({ filename: 'screen.png', content_type, purpose: 'image' });
const [asPng, asJpeg, asWebp] = [asImage('image/png'), asImage('image/jpeg'), asImage('image/webp')];

let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness();
});
afterAll(() => harness.stop());

/** Hands the bytes in, lets the workers run, and withdraws what was taken, so that its place is free again. */
async function examine(bytes: Uint8Array, change: object) {
  const fileId = await harness.handIn(bytes, change);
  await harness.drain();
  return harness.file(fileId);
}

async function taken(bytes: Uint8Array, change: object) {
  const file = await examine(bytes, change);
  if (!file.picture) throw new Error(`Not taken: ${file.hashError}`);
  const { storageKey: Key, versionId: VersionId } = file.picture;
  const object = await harness.client.send(new GetObjectCommand({ Bucket: testBucket, Key, VersionId }));
  const served = Buffer.from((await object.Body?.transformToByteArray()) ?? []);
  await harness.withdraw(file.id);
  return { file, picture: file.picture, served };
}

const isNear = ([r, g, b]: readonly number[], colour: Colour) =>
  Math.abs((r ?? 0) - colour[0]) < 40 && Math.abs((g ?? 0) - colour[1]) < 40 && Math.abs((b ?? 0) - colour[2]) < 40;

/** Blue in its upper left quarter. */
const marked: Paint = (x, y) => (x < 16 && y < 8 ? blue : red);

describe('an uploaded picture', () => {
  test.each([
    ['PNG', png(40, 30), asPng, 'image/png'],
    ['JPEG', jpeg(40, 30), asJpeg, 'image/jpeg'],
    ['WebP', webp(40, 30), asWebp, 'image/jpeg'],
    ['transparent WebP', webp(40, 30, () => [200, 30, 30, 100]), asWebp, 'image/png'],
  ])('is verified, scanned, and encoded anew: %s', async (_, bytes, change, contentType) => {
    const { file, picture, served } = await taken(bytes, change);
    expect(file).toMatchObject({ hashStatus: 'verified', scanStatus: 'clean', status: 'pending_review', purpose: 'image' });
    expect(picture).toMatchObject({ contentType, width: 40, height: 30, sizeBytes: served.length, sha256Hex: sha256Hex(served) });
    expect(served.equals(bytes)).toBe(false);
    const seen = decoded(served);
    expect(seen).toMatchObject({ width: 40, height: 30 });
    expect(isNear(seen.at(20, 15), red)).toBe(true);
  });

  test('may be a lossy WebP with a profile or a PNG with a palette, and keeps what is transparent', async () => {
    const opaque = await taken(lossyWebp, asWebp);
    expect(opaque.picture).toMatchObject({ contentType: 'image/jpeg', width: 32, height: 16 });
    expect([isNear(decoded(opaque.served).at(4, 4), blue), isNear(decoded(opaque.served).at(28, 12), red)]).toEqual([true, true]);
    for (const [bytes, change] of [
      [lossyWebpWithAlpha, asWebp],
      [lossyWebpWithPlainAlpha, asWebp],
      [palettePng(32, 16), asPng],
    ] as const) {
      const clear = await taken(bytes, change);
      expect(clear.picture).toMatchObject({ contentType: 'image/png', width: 32, height: 16 });
      expect(Math.abs((decoded(clear.served).at(28, 12)[3] ?? 0) - 128)).toBeLessThan(8);
    }
  });

  test('may be a JPEG with restart markers', async () => {
    const { picture, served } = await taken(restartingJpeg, asJpeg);
    expect(picture).toMatchObject({ contentType: 'image/jpeg', width: 32, height: 16 });
    expect([isNear(decoded(served).at(4, 4), blue), isNear(decoded(served).at(28, 4), red)]).toEqual([true, true]);
  });

  test('keeps nothing but pixels: no place, no text, no profile, no archive or page behind its end', async () => {
    const secret = 'GPS 35.6586N';
    const hidden = Buffer.from(`PK\x03\x04${secret}<script>alert(1)</script>`, 'latin1');
    const text = pngChunk('tEXt', Buffer.from(`Comment\0${secret}`, 'latin1'));
    const carriers: readonly [Buffer, object][] = [
      [Buffer.concat([png(8, 8, { chunks: [pngChunk('eXIf', exif(1)), text, pngChunk('iCCP', hidden)] }), hidden]), asPng],
      [Buffer.concat([withSegment(withSegment(jpeg(8, 8), 0xe1, exifSegment(exif(1))), 0xfe, hidden), hidden]), asJpeg],
      [webpOf(webpCanvas(0x08, 8, 8), webp(8, 8).subarray(12), webpChunk('EXIF', exif(1)), webpChunk('XMP ', hidden)), asWebp],
    ];
    for (const [bytes, change] of carriers) {
      expect(bytes.includes(secret)).toBe(true);
      const { served } = await taken(bytes, change);
      for (const trace of [secret, 'Exif', 'eXIf', '<script', 'PK\x03\x04', 'iCCP', 'ICC_PROFILE']) {
        expect(served.includes(Buffer.from(trace, 'latin1'))).toBe(false);
      }
    }
  });

  // Where the blue quarter of a picture of 32 × 16 is seen.
  test.each([
    [1, 32, 16, 4, 4],
    [2, 32, 16, 28, 4],
    [3, 32, 16, 28, 12],
    [4, 32, 16, 4, 12],
    [5, 16, 32, 4, 4],
    [6, 16, 32, 12, 4],
    [7, 16, 32, 12, 28],
    [8, 16, 32, 4, 28],
    [9, 32, 16, 4, 4],
  ])('is turned upright by orientation %d', async (orientation, width, height, x, y) => {
    const sources: readonly [Buffer, object][] = [
      [withSegment(jpeg(32, 16, marked), 0xe1, exifSegment(exif(orientation, orientation % 2 === 0))), asJpeg],
      [png(32, 16, { paint: marked, chunks: [pngChunk('eXIf', exif(orientation))] }), asPng],
      [webpOf(webpCanvas(0x08, 32, 16), webp(32, 16, marked).subarray(12), webpChunk('EXIF', exifSegment(exif(orientation)))), asWebp],
    ];
    for (const [bytes, change] of sources) {
      const { picture, served } = await taken(bytes, change);
      expect(picture).toMatchObject({ width, height });
      const seen = decoded(served);
      const corners = [
        [4, 4],
        [width - 4, 4],
        [4, height - 4],
        [width - 4, height - 4],
      ].filter(([cornerX = 0, cornerY = 0]) => isNear(seen.at(cornerX, cornerY), blue));
      expect(corners).toEqual([[x, y]]);
    }
  });

  test('is made smaller until its longest edge is 1,920 pixels, and keeps its shape', async () => {
    expect((await taken(png(1921, 10), asPng)).picture).toMatchObject({ width: 1920, height: 10 });
    expect((await taken(png(4, 3840), asPng)).picture).toMatchObject({ width: 2, height: 1920 });
    expect((await taken(png(1920, 2), asPng)).picture).toMatchObject({ width: 1920, height: 2 });
    expect((await taken(jpeg(65_535, 1), asJpeg)).picture).toMatchObject({ width: 1920, height: 1 });
  });

  test('is served with at most 1 MiB, as JPEG or smaller where that is needed', async () => {
    let seed = 1;
    const noise: Paint = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return [seed & 0xff, (seed >> 8) & 0xff, (seed >> 16) & 0xff, 255];
    };
    const opaque = await taken(png(700, 700, { paint: noise }), asPng);
    expect(opaque.picture).toMatchObject({ contentType: 'image/jpeg', width: 700, height: 700 });
    const clear = await taken(png(650, 650, { paint: (x, y) => (x === 0 ? [0, 0, 0, 0] : noise(x, y)) }), asPng);
    expect(clear.picture).toMatchObject({ contentType: 'image/png', width: 480, height: 480 });
    for (const { served } of [opaque, clear]) expect(served.length).toBeLessThanOrEqual(1024 * 1024);
  });

  test('may have 20 megapixels', async () => {
    const row = Buffer.alloc(1 + 5000);
    const header = Buffer.from(pngHeader(5000, 4000).subarray(8, 21));
    header[9] = 0;
    const grey = Buffer.concat([
      pngStart,
      pngChunk('IHDR', header),
      pngChunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: 4000 }, () => row)))),
      pngEnd,
    ]);
    expect((await taken(grey, asPng)).picture).toMatchObject({ width: 1920, height: 1536 });
  }, 60_000);
});

describe('what is no picture that can be shown', () => {
  const vp8l = webp(8, 8).subarray(12);
  const scanOf = (picture: Buffer) => picture.indexOf(Buffer.from([0xff, 0xda]));
  const frameOf = (picture: Buffer) => picture.indexOf(Buffer.from([0xff, 0xc0]));
  const changed = (picture: Buffer, at: number, ...values: number[]) => {
    const copy = Buffer.from(picture);
    copy.set(values, at);
    return copy;
  };
  const photo = jpeg(32, 32);

  test.each<[string, Buffer, object, string]>([
    [
      'a GIF',
      Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;', 'latin1'),
      asPng,
      'picture_unknown',
    ],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), asPng, 'picture_unknown'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), asJpeg, 'picture_unknown'],
    ['an archive', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), png(4, 4)]), asPng, 'picture_unknown'],
    ['one byte', Buffer.from([0xff]), asJpeg, 'picture_unknown'],
    ['a RIFF of another kind', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), asWebp, 'picture_unknown'],
    ['a JPEG that is called PNG', jpeg(4, 4), asPng, 'picture_type_mismatch'],
    ['a PNG that is called WebP', png(4, 4), asWebp, 'picture_type_mismatch'],
    ['an animated PNG', png(4, 4, { chunks: [pngChunk('acTL', Buffer.alloc(8))] }), asPng, 'picture_animated'],
    ['frames of an animated PNG', png(4, 4, { chunks: [pngChunk('fcTL', Buffer.alloc(26))] }), asPng, 'picture_animated'],
    ['an animated WebP by its flag', webpOf(webpCanvas(0x02, 8, 8), vp8l), asWebp, 'picture_animated'],
    ['an animated WebP by its chunks', webpOf(webpCanvas(0, 8, 8), webpChunk('ANIM', Buffer.alloc(6)), vp8l), asWebp, 'picture_animated'],
    ['frames of an animated WebP', webpOf(webpChunk('ANMF', Buffer.alloc(16)), vp8l), asWebp, 'picture_animated'],
    ['a PNG of 20001 × 1000', Buffer.concat([pngStart, pngHeader(20_001, 1000), pngEnd]), asPng, 'picture_too_large'],
    ['a PNG of 65,535 × 65,535', Buffer.concat([pngStart, pngHeader(65_535, 65_535), pngEnd]), asPng, 'picture_too_large'],
    [
      'a PNG of four billion by four billion',
      Buffer.concat([pngStart, pngHeader(2 ** 32 - 1, 2 ** 32 - 1), pngEnd]),
      asPng,
      'picture_too_large',
    ],
    ['a JPEG of 65,535 × 65,535', changed(photo, frameOf(photo) + 5, 0xff, 0xff, 0xff, 0xff), asJpeg, 'picture_too_large'],
    ['a WebP of 16,384 × 16,384', webpOf(webpChunk('VP8L', Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f, 0]))), asWebp, 'picture_too_large'],
    [
      'a lossy WebP of 16,383 × 16,383',
      webpOf(webpChunk('VP8 ', Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, 0xff, 0x3f, 0xff, 0x3f]))),
      asWebp,
      'picture_too_large',
    ],
    ['a PNG without width', Buffer.concat([pngStart, pngHeader(0, 4), pngEnd]), asPng, 'picture_unreadable'],
    ['a PNG without height', Buffer.concat([pngStart, pngHeader(4, 0), pngEnd]), asPng, 'picture_unreadable'],
    ['a JPEG without height', changed(photo, frameOf(photo) + 5, 0, 0), asJpeg, 'picture_unreadable'],
    ['a PNG that ends early', png(40, 30).subarray(0, -20), asPng, 'picture_unreadable'],
    ['a PNG without its end', png(40, 30).subarray(0, -12), asPng, 'picture_unreadable'],
    ['a PNG without pixels', Buffer.concat([pngStart, pngHeader(4, 4), pngEnd]), asPng, 'picture_unreadable'],
    ['a PNG with too few pixels', Buffer.concat([pngStart, pngHeader(400, 400), png(4, 4).subarray(33)]), asPng, 'picture_unreadable'],
    [
      'a PNG whose header is not first',
      Buffer.concat([pngStart, pngChunk('tEXt', Buffer.alloc(13)), png(4, 4).subarray(8)]),
      asPng,
      'picture_unreadable',
    ],
    ['a JPEG that ends in its pixels', photo.subarray(0, -20), asJpeg, 'picture_unreadable'],
    ['a JPEG without its end', photo.subarray(0, -2), asJpeg, 'picture_unreadable'],
    ['a JPEG without pixels', Buffer.concat([photo.subarray(0, scanOf(photo)), photo.subarray(-2)]), asJpeg, 'picture_unreadable'],
    [
      'a JPEG with two frames',
      withSegment(photo, 0xc0, photo.subarray(frameOf(photo) + 4, frameOf(photo) + 19)),
      asJpeg,
      'picture_unreadable',
    ],
    [
      'a JPEG with bytes between its segments',
      Buffer.concat([photo.subarray(0, scanOf(photo)), Buffer.from([0]), photo.subarray(scanOf(photo))]),
      asJpeg,
      'picture_unreadable',
    ],
    ['a JPEG of arithmetic codes', changed(photo, frameOf(photo) + 1, 0xc9), asJpeg, 'picture_unreadable'],
    [
      'a JPEG of 65 scans',
      Buffer.concat([photo.subarray(0, -2), ...Array.from({ length: 64 }, () => photo.subarray(scanOf(photo), -2)), photo.subarray(-2)]),
      asJpeg,
      'picture_unreadable',
    ],
    ['a WebP that ends early', webp(40, 30).subarray(0, -8), asWebp, 'picture_unreadable'],
    ['a WebP without a frame', webpOf(webpCanvas(0, 8, 8)), asWebp, 'picture_unreadable'],
    ['a WebP of two frames', webpOf(vp8l, vp8l), asWebp, 'picture_unreadable'],
    ['a WebP whose frame is not its canvas', webpOf(webpCanvas(0, 9, 8), vp8l), asWebp, 'picture_unreadable'],
    [
      'a WebP whose frame begins wrongly',
      webpOf(webpChunk('VP8 ', Buffer.from([0, 0, 0, 0x9d, 1, 0x2b, 8, 0, 8, 0]))),
      asWebp,
      'picture_unreadable',
    ],
  ])('is rejected with a reason: %s', async (_, bytes, change, hashError) => {
    const file = await examine(bytes, change);
    expect(file).toMatchObject({ status: 'rejected', visibility: 'private', hashStatus: 'mismatch', hashError, scanStatus: 'not_scanned' });
    expect(file.rejectedReason).toMatch(/^(The picture|The file) .+\.$/);
    expect(file.rejectedAt).toBeDefined();
    expect(file.picture).toBeUndefined();
  });

  test('is shown to its seller, approved by nobody, and its bytes are deleted', async () => {
    const fileId = await harness.handIn(Buffer.from('GIF89a'), asPng);
    await harness.drain();
    const list = await harness.call('GET', `/v1/products/${harness.product.id}/files`);
    expect(list.json.items.find(({ id }: { id: string }) => id === fileId)).toMatchObject({
      purpose: 'image',
      status: 'rejected',
      hash_error: 'picture_unknown',
      rejected_reason: 'The file is not a PNG, JPEG or WebP picture.',
    });
    for (const decision of ['approve', 'manual_clean', 'disable']) {
      expect(await harness.review(fileId, { decision, manual_scan_clean_reason: 'Seen.' })).toMatchObject({ status: 409 });
    }
    const { storageKey: Prefix } = await harness.file(fileId);
    const versions = async () => (await harness.client.send(new ListObjectVersionsCommand({ Bucket: testBucket, Prefix }))).Versions ?? [];
    expect(await versions()).toHaveLength(1);
    // Before the end of an upload that nobody finalized would delete them too.
    harness.pass(24 * 3600 + 60);
    await harness.sweep();
    expect(await versions()).toEqual([]);
  });

  test('leaves alone what was withdrawn before it was read', async () => {
    const fileId = await harness.handIn(Buffer.from('GIF89a'), asPng);
    await harness.withdraw(fileId);
    await harness.drain();
    const file = await harness.file(fileId);
    expect(file).toMatchObject({ status: 'disabled', hashStatus: 'mismatch', hashError: 'picture_unknown' });
    expect(file.rejectedReason).toBeUndefined();
  });
});

describe('the thread that encodes a picture', () => {
  test('takes memory by its pixels, whatever its profile and texts unpack to', async () => {
    const packed = deflateSync(Buffer.alloc(300_000_000));
    const chunks = [
      pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0'), packed])),
      pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), packed])),
    ];
    const script = `
      import { readFileSync } from 'node:fs';
      import { createEncodePicture } from '${import.meta.dirname}/../../../functions/file-hasher/encode-picture.ts';
      const { width } = await createEncodePicture()(readFileSync(0), 'image/png');
      console.log(width, process.resourceUsage().maxRSS);`;
    const measured = [png(8, 8), png(8, 8, { chunks })].map((input) =>
      execFileSync(process.execPath, ['--eval', script], { input, encoding: 'utf8' }).split(' ').map(Number),
    );
    const [[, plain = 0] = [], [width, bomb] = []] = measured;
    expect(width).toBe(8);
    expect(bomb).toBeLessThan(plain + 50_000);
  });

  test('is ended when the picture takes too long', async () => {
    const encode = createEncodePicture({ secondsAtMost: 0 });
    await expect(encode(png(4, 4), 'image/png')).rejects.toMatchObject({ code: 'picture_unreadable' });
  });

  test('that fails by our fault rejects no picture: it is tried again', async () => {
    let broken = true;
    const encode = createEncodePicture();
    const flaky = await startFileHarness({
      encodePicture: (bytes, type) => (broken ? Promise.reject(new Error('No thread.')) : encode(bytes, type)),
    });
    const fileId = await flaky.handIn(png(4, 4), asPng);
    await flaky.drain();
    expect(await flaky.file(fileId)).toMatchObject({ status: 'pending_review', hashStatus: 'unverified' });
    broken = false;
    flaky.pass(60);
    await flaky.sweep();
    expect(await flaky.file(fileId)).toMatchObject({ status: 'pending_review', hashStatus: 'verified', picture: { width: 4, height: 4 } });
    await flaky.stop();
  });
});

describe('the upload of a picture', () => {
  const declare = (fields: object) => harness.intend({ ...harness.declare(png(4, 4)), ...asPng, ...fields });

  test.each(['image/png', 'image/jpeg', 'image/webp'])('may be %s', async (content_type) => {
    const { status, json } = await declare({ content_type });
    expect({ status, max: json.max_size_bytes }).toEqual({ status: 201, max: 2_097_152 });
    await harness.withdraw(json.product_file_id);
  });

  test.each(['image/gif', 'image/svg+xml', 'text/html', 'IMAGE/PNG', 'image/png; a=b', 'application/zip'])(
    'is not %s',
    async (content_type) => {
      const reply = await declare({ content_type });
      expect(reply).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
      expect(reply.json.message).toContain('content_type must be one of ');
    },
  );

  test('is at most 2 MiB, and a download of the same type may be larger', async () => {
    const full = await declare({ size_bytes: 2_097_152 });
    expect(full.status).toBe(201);
    await harness.withdraw(full.json.product_file_id);
    expect(await declare({ size_bytes: 2_097_153 })).toMatchObject({ status: 400, json: { code: 'file_too_large' } });
    const download = await declare({ size_bytes: 2_097_153, purpose: 'download' });
    expect(download.status).toBe(201);
    await harness.withdraw(download.json.product_file_id);
  });

  test.each(['picture', '', null, 1])('has no purpose %j', async (purpose) => {
    const reply = await declare({ purpose });
    expect(reply).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    expect(reply.json.message).toContain('purpose must be one of ');
  });

  test('is a download unless it says otherwise, whatever its type', async () => {
    const fileId = await harness.handIn(Buffer.from('no picture at all'), { content_type: 'image/png' });
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ purpose: 'download', hashStatus: 'verified', status: 'pending_review' });
    await harness.withdraw(fileId);
  });

  test('deletes what is served together with what was uploaded', async () => {
    const fileId: FileId = await harness.handIn(png(4, 4), asPng);
    await harness.drain();
    const { picture, storageKey } = await harness.file(fileId);
    const kept = async () => {
      const pages = await Promise.all(
        [picture?.storageKey, storageKey].map((Prefix) =>
          harness.client.send(new ListObjectVersionsCommand({ Bucket: testBucket, Prefix })),
        ),
      );
      return pages.map(({ Versions = [] }) => Versions.length);
    };
    expect(await kept()).toEqual([1, 1]);
    await harness.withdraw(fileId);
    harness.pass(25 * 3600);
    await harness.sweep();
    expect(await kept()).toEqual([0, 0]);
  });
});
