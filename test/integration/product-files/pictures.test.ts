import { deflateSync } from 'node:zlib';
import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEncodePicture } from '../../../functions/file-hasher/encode-picture.ts';
import { turnUpright } from '../../../shared/pictures/orientation.ts';
import { PictureFault, pictureFaults } from '../../../shared/pictures/picture.ts';
import { readPictureHeader } from '../../../shared/pictures/read-header.ts';
import { ProductFileUploadIntentRequest } from '../../../shared/product-files/create-upload.ts';
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

const [asPng, asJpeg, asWebp] = ['image/png', 'image/jpeg', 'image/webp'];
const encode = createEncodePicture();

const isNear = ([r, g, b]: readonly number[], colour: Colour) =>
  Math.abs((r ?? 0) - colour[0]) < 40 && Math.abs((g ?? 0) - colour[1]) < 40 && Math.abs((b ?? 0) - colour[2]) < 40;

/** Blue in its upper left quarter. */
const marked: Paint = (x, y) => (x < 16 && y < 8 ? blue : red);

describe('a picture is encoded anew', () => {
  const clear: Colour = [200, 30, 30, 100];
  test.each<[string, Buffer, string, string, [width: number, height: number]]>([
    ['PNG', png(40, 30), asPng, asPng, [40, 30]],
    ['JPEG', jpeg(40, 30), asJpeg, asJpeg, [40, 30]],
    ['WebP', webp(40, 30), asWebp, asJpeg, [40, 30]],
    ['transparent WebP', webp(40, 30, () => clear), asWebp, asPng, [40, 30]],
    ['a long PNG', png(1921, 10), asPng, asPng, [1920, 10]],
    ['a high PNG', png(4, 3840), asPng, asPng, [2, 1920]],
    ['a PNG that is just not too long', png(1920, 2), asPng, asPng, [1920, 2]],
    ['a very long JPEG', jpeg(65_535, 1), asJpeg, asJpeg, [1920, 1]],
  ])('until its longest edge is 1,920 pixels: %s', async (_, bytes, type, contentType, [width, height]) => {
    const encoded = await encode(bytes, type);
    expect(encoded).toMatchObject({ contentType, width, height });
    expect(Buffer.from(encoded.bytes).equals(bytes)).toBe(false);
    const seen = decoded(encoded.bytes);
    expect(seen).toMatchObject({ width, height });
    expect(isNear(seen.at(Math.floor(width / 2), Math.floor(height / 2)), red)).toBe(true);
  });

  test.each([
    ['a lossy WebP with a profile', lossyWebp, asWebp, [28, 12]],
    ['a JPEG with restart markers', restartingJpeg, asJpeg, [28, 4]],
  ] as const)('%s', async (_, bytes, type, [x, y]) => {
    const encoded = await encode(bytes, type);
    expect(encoded).toMatchObject({ contentType: 'image/jpeg', width: 32, height: 16 });
    const seen = decoded(encoded.bytes);
    expect([isNear(seen.at(4, 4), blue), isNear(seen.at(x, y), red)]).toEqual([true, true]);
  });

  test.each([
    ['a lossy WebP', lossyWebpWithAlpha, asWebp],
    ['a lossy WebP with plain opacity', lossyWebpWithPlainAlpha, asWebp],
    ['a PNG with a palette', palettePng(32, 16), asPng],
  ])('and keeps what is transparent: %s', async (_, bytes, type) => {
    const encoded = await encode(bytes, type);
    expect(encoded).toMatchObject({ contentType: 'image/png', width: 32, height: 16 });
    expect(Math.abs((decoded(encoded.bytes).at(28, 12)[3] ?? 0) - 128)).toBeLessThan(8);
  });

  test('with at most 1 MiB, as JPEG or smaller where that is needed', async () => {
    let seed = 1;
    const noise: Paint = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return [seed & 0xff, (seed >> 8) & 0xff, (seed >> 16) & 0xff, 255];
    };
    const opaque = await encode(png(700, 700, { paint: noise }), asPng);
    expect(opaque).toMatchObject({ contentType: 'image/jpeg', width: 700, height: 700 });
    const transparent = await encode(png(650, 650, { paint: (x, y) => (x === 0 ? [0, 0, 0, 0] : noise(x, y)) }), asPng);
    expect(transparent).toMatchObject({ contentType: 'image/png', width: 480, height: 480 });
    for (const { bytes } of [opaque, transparent]) expect(bytes.length).toBeLessThanOrEqual(1024 * 1024);
  });

  test('of 20 megapixels', async () => {
    const header = Buffer.from(pngHeader(5000, 4000).subarray(8, 21));
    header[9] = 0;
    const rows = deflateSync(Buffer.alloc(4000 * (1 + 5000)));
    const grey = Buffer.concat([pngStart, pngChunk('IHDR', header), pngChunk('IDAT', rows), pngEnd]);
    expect(await encode(grey, asPng)).toMatchObject({ width: 1920, height: 1536 });
  }, 60_000);

  test('from nothing but its pixels: no place, no text, no profile, no archive or page behind its end', async () => {
    const secret = 'GPS 35.6586N';
    const hidden = Buffer.from(`PK\x03\x04${secret}<script>alert(1)</script>`, 'latin1');
    const text = pngChunk('tEXt', Buffer.from(`Comment\0${secret}`, 'latin1'));
    for (const [bytes, type] of [
      [Buffer.concat([png(8, 8, { chunks: [pngChunk('eXIf', exif(1)), text, pngChunk('iCCP', hidden)] }), hidden]), asPng],
      [Buffer.concat([withSegment(withSegment(jpeg(8, 8), 0xe1, exifSegment(exif(1))), 0xfe, hidden), hidden]), asJpeg],
      [webpOf(webpCanvas(0x08, 8, 8), webp(8, 8).subarray(12), webpChunk('EXIF', exif(1)), webpChunk('XMP ', hidden)), asWebp],
    ] as const) {
      expect(bytes.includes(secret)).toBe(true);
      const { pixels } = readPictureHeader(bytes);
      for (const read of [pixels, (await encode(bytes, type)).bytes]) {
        const served = Buffer.from(read).toString('latin1');
        expect(['GPS', 'Exif', 'eXIf', '<script', 'PK\x03\x04', 'iCCP', 'tEXt'].filter((trace) => served.includes(trace))).toEqual([]);
      }
    }
  });
});

describe('a picture that was taken at an angle', () => {
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
  ])('is turned upright by orientation %d', (orientation, width, height, x, y) => {
    const rgba = Uint8Array.from(Array.from({ length: 32 * 16 }, (_, at) => marked(at % 32, Math.floor(at / 32))).flat());
    const upright = turnUpright({ rgba, width: 32, height: 16 }, orientation);
    expect(upright).toMatchObject({ width, height });
    const isBlue = (atX: number, atY: number) => isNear([...upright.rgba.subarray((atY * width + atX) * 4)].slice(0, 3), blue);
    const corners = [4, height - 4].flatMap((atY) => [4, width - 4].map((atX) => [atX, atY] as const));
    expect(corners.filter(([atX, atY]) => isBlue(atX, atY))).toEqual([[x, y]]);
  });

  const sources = (orientation: number): [Buffer, string][] => [
    [withSegment(jpeg(32, 16, marked), 0xe1, exifSegment(exif(orientation, orientation % 2 === 0))), asJpeg],
    [png(32, 16, { paint: marked, chunks: [pngChunk('eXIf', exif(orientation))] }), asPng],
    [webpOf(webpCanvas(0x08, 32, 16), webp(32, 16, marked).subarray(12), webpChunk('EXIF', exifSegment(exif(orientation)))), asWebp],
  ];
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('tells so in every format: %d', (orientation) => {
    const told = sources(orientation).map(([bytes]) => readPictureHeader(bytes).orientation);
    expect(told).toEqual(Array(3).fill(orientation === 9 ? 1 : orientation));
  });

  test('is encoded upright', async () => {
    for (const [bytes, type] of sources(6)) {
      const encoded = await encode(bytes, type);
      expect(encoded).toMatchObject({ width: 16, height: 32 });
      expect([isNear(decoded(encoded.bytes).at(12, 4), blue), isNear(decoded(encoded.bytes).at(4, 4), red)]).toEqual([true, true]);
    }
  });
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

  const faulty: Record<keyof typeof pictureFaults, [string, Buffer, string][]> = {
    picture_unknown: [
      ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;', 'latin1'), asPng],
      ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), asPng],
      ['an archive', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), png(4, 4)]), asPng],
      ['one byte', Buffer.from([0xff]), asJpeg],
      ['a RIFF of another kind', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), asWebp],
    ],
    picture_type_mismatch: [
      ['a JPEG that is called PNG', jpeg(4, 4), asPng],
      ['a PNG that is called WebP', png(4, 4), asWebp],
    ],
    picture_animated: [
      ['an animated PNG', png(4, 4, { chunks: [pngChunk('acTL', Buffer.alloc(8))] }), asPng],
      ['frames of an animated PNG', png(4, 4, { chunks: [pngChunk('fcTL', Buffer.alloc(26))] }), asPng],
      ['an animated WebP by its flag', webpOf(webpCanvas(0x02, 8, 8), vp8l), asWebp],
      ['an animated WebP by its chunks', webpOf(webpCanvas(0, 8, 8), webpChunk('ANIM', Buffer.alloc(6)), vp8l), asWebp],
      ['frames of an animated WebP', webpOf(webpChunk('ANMF', Buffer.alloc(16)), vp8l), asWebp],
    ],
    picture_too_large: [
      ['a PNG of 20001 × 1000', Buffer.concat([pngStart, pngHeader(20_001, 1000), pngEnd]), asPng],
      ['a PNG of four billion by four billion', Buffer.concat([pngStart, pngHeader(2 ** 32 - 1, 2 ** 32 - 1), pngEnd]), asPng],
      ['a JPEG of 65,535 × 65,535', changed(photo, frameOf(photo) + 5, 0xff, 0xff, 0xff, 0xff), asJpeg],
      ['a WebP of 16,384 × 16,384', webpOf(webpChunk('VP8L', Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f, 0]))), asWebp],
      ['a lossy WebP of 16,383 × 16,383', webpOf(webpChunk('VP8 ', Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, 0xff, 0x3f, 0xff, 0x3f]))), asWebp],
    ],
    picture_unreadable: [
      ['a PNG without width', Buffer.concat([pngStart, pngHeader(0, 4), pngEnd]), asPng],
      ['a PNG without height', Buffer.concat([pngStart, pngHeader(4, 0), pngEnd]), asPng],
      ['a JPEG without height', changed(photo, frameOf(photo) + 5, 0, 0), asJpeg],
      ['a PNG that ends early', png(40, 30).subarray(0, -20), asPng],
      ['a PNG without its end', png(40, 30).subarray(0, -12), asPng],
      ['a PNG without pixels', Buffer.concat([pngStart, pngHeader(4, 4), pngEnd]), asPng],
      ['a PNG with too few pixels', Buffer.concat([pngStart, pngHeader(400, 400), png(4, 4).subarray(33)]), asPng],
      ['a PNG whose header is not first', Buffer.concat([pngStart, pngChunk('tEXt', Buffer.alloc(13)), png(4, 4).subarray(8)]), asPng],
      ['a JPEG that ends in its pixels', photo.subarray(0, -20), asJpeg],
      ['a JPEG without its end', photo.subarray(0, -2), asJpeg],
      ['a JPEG without pixels', Buffer.concat([photo.subarray(0, scanOf(photo)), photo.subarray(-2)]), asJpeg],
      ['a JPEG with two frames', withSegment(photo, 0xc0, photo.subarray(frameOf(photo) + 4, frameOf(photo) + 19)), asJpeg],
      [
        'a JPEG with bytes between its segments',
        Buffer.concat([photo.subarray(0, scanOf(photo)), Buffer.from([0]), photo.subarray(scanOf(photo))]),
        asJpeg,
      ],
      ['a JPEG of arithmetic codes', changed(photo, frameOf(photo) + 1, 0xc9), asJpeg],
      [
        'a JPEG of 65 scans',
        Buffer.concat([photo.subarray(0, -2), ...Array.from({ length: 64 }, () => photo.subarray(scanOf(photo), -2)), photo.subarray(-2)]),
        asJpeg,
      ],
      ['a WebP that ends early', webp(40, 30).subarray(0, -8), asWebp],
      ['a WebP without a frame', webpOf(webpCanvas(0, 8, 8)), asWebp],
      ['a WebP of two frames', webpOf(vp8l, vp8l), asWebp],
      ['a WebP whose frame is not its canvas', webpOf(webpCanvas(0, 9, 8), vp8l), asWebp],
      ['a WebP whose frame begins wrongly', webpOf(webpChunk('VP8 ', Buffer.from([0, 0, 0, 0x9d, 1, 0x2b, 8, 0, 8, 0]))), asWebp],
    ],
  };
  const rows = Object.entries(faulty).flatMap(([code, all]) => all.map((row) => [...row, code as keyof typeof pictureFaults] as const));
  test.each(rows)('is known by its reason: %s', async (_, bytes, type, code) => {
    const fault = await encode(bytes, type).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(PictureFault);
    expect(fault).toMatchObject({ code, message: pictureFaults[code] });
  });

  test('is a picture that takes too long', async () => {
    const impatient = createEncodePicture({ secondsAtMost: 0 });
    await expect(impatient(png(4, 4), asPng)).rejects.toMatchObject({ code: 'picture_unreadable' });
  });
});

describe('the upload of a picture', () => {
  let harness: FileHarness;
  let isBroken = false;
  beforeAll(async () => {
    harness = await startFileHarness({
      encodePicture: (bytes, type) => (isBroken ? Promise.reject(new Error('No thread.')) : encode(bytes, type)),
    });
  });
  afterAll(() => harness.stop());

  const image = { filename: 'screen.png', content_type: asPng, purpose: 'image' };
  const handIn = (bytes: Uint8Array, change: object = image) => harness.handIn(bytes, change);
  /** How many versions of the objects under these keys the store has. */
  const versionsOf = (...keys: (string | undefined)[]) =>
    Promise.all(
      keys.map(async (Prefix) => {
        const { Versions = [] } = await harness.client.send(new ListObjectVersionsCommand({ Bucket: testBucket, Prefix }));
        return Versions.length;
      }),
    );

  test.each<[object, boolean]>([
    ...['image/png', 'image/jpeg', 'image/webp'].map((contentType): [object, boolean] => [{ contentType }, true]),
    ...['image/gif', 'image/svg+xml', 'text/html', 'IMAGE/PNG', 'image/png; a=b', 'application/zip'].map(
      (contentType): [object, boolean] => [{ contentType }, false],
    ),
    ...['picture', '', null, 1].map((purpose): [object, boolean] => [{ purpose }, false]),
  ])('may be declared with %j: %p', (change, isTaken) => {
    const declared = { filename: 'a.png', contentType: asPng, sizeBytes: 1, sha256Hex: 'a'.repeat(64), purpose: 'image' };
    expect(ProductFileUploadIntentRequest.safeParse({ ...declared, ...change }).success).toBe(isTaken);
  });

  test('is at most 2 MiB, and a download of the same type may be larger', async () => {
    const declare = (fields: object) => harness.intend({ ...harness.declare(png(4, 4)), ...image, ...fields });
    const full = await declare({ size_bytes: 2_097_152 });
    expect(full).toMatchObject({ status: 201, json: { max_size_bytes: 2_097_152 } });
    await harness.withdraw(full.json.product_file_id);
    expect(await declare({ size_bytes: 2_097_153 })).toMatchObject({ status: 400, json: { code: 'file_too_large' } });
    const download = await declare({ size_bytes: 2_097_153, purpose: 'download' });
    expect(download.status).toBe(201);
    await harness.withdraw(download.json.product_file_id);
  });

  test('is a download unless it says otherwise, whatever its type', async () => {
    const fileId = await handIn(Buffer.from('no picture at all'), { content_type: asPng });
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ purpose: 'download', hashStatus: 'verified', status: 'pending_review' });
  });

  test('is verified, scanned and kept encoded anew, and both are deleted together', async () => {
    const fileId = await handIn(png(40, 30));
    await harness.drain();
    const { picture, storageKey, ...file } = await harness.file(fileId);
    expect(file).toMatchObject({ hashStatus: 'verified', scanStatus: 'clean', status: 'pending_review', purpose: 'image' });
    const { bytes } = await encode(png(40, 30), asPng);
    expect(picture).toMatchObject({ contentType: asPng, width: 40, sizeBytes: bytes.length, sha256Hex: sha256Hex(bytes) });
    expect(await versionsOf(picture?.storageKey, storageKey)).toEqual([1, 1]);
    await harness.withdraw(fileId);
    harness.pass(25 * 3600);
    await harness.sweep();
    expect(await versionsOf(picture?.storageKey, storageKey)).toEqual([0, 0]);
  });

  test('that is none is shown to its seller with the reason, and its bytes are deleted', async () => {
    const fileId = await handIn(Buffer.from('GIF89a'));
    await harness.drain();
    const list = await harness.call('GET', `/v1/products/${harness.product.id}/files`);
    expect(list.json.items.find(({ id }: { id: string }) => id === fileId)).toMatchObject({
      purpose: 'image',
      status: 'rejected',
      hash_error: 'picture_unknown',
      rejected_reason: 'The file is not a PNG, JPEG or WebP picture.',
    });
    const { storageKey, ...file } = await harness.file(fileId);
    expect(file).toMatchObject({
      visibility: 'private',
      hashStatus: 'mismatch',
      rejectedAt: expect.any(String),
      scanStatus: 'not_scanned',
    });
    expect([file.picture, await versionsOf(storageKey)]).toEqual([undefined, [1]]);
    // Before the end of an upload that nobody finalized would delete them too.
    harness.pass(24 * 3600 + 60);
    await harness.sweep();
    expect(await versionsOf(storageKey)).toEqual([0]);
  });

  test('is not rejected by a fault of ours: it is tried again', async () => {
    isBroken = true;
    const fileId = await handIn(png(4, 4));
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ status: 'pending_review', hashStatus: 'unverified' });
    isBroken = false;
    harness.pass(60);
    await harness.sweep();
    expect(await harness.file(fileId)).toMatchObject({
      status: 'pending_review',
      hashStatus: 'verified',
      picture: { width: 4, height: 4 },
    });
  });
});
