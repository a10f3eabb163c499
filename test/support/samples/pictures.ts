import { crc32, deflateSync } from 'node:zlib';
import { PhotonImage } from '@silvia-odwyer/photon-node';

/** A colour as red, green, blue and opacity. */
export type Colour = readonly [number, number, number, number];
export const red: Colour = [200, 30, 30, 255];
export const blue: Colour = [30, 30, 200, 255];

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function pngChunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

/** Eight bits, red, green, blue and opacity. */
export const pngHeader = (width: number, height: number) =>
  pngChunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 6, 0, 0, 0])]));

export const pngEnd = pngChunk('IEND', Buffer.alloc(0));

/** The colour of each pixel. */
export type Paint = (x: number, y: number) => Colour;
const plain: Paint = () => red;

function pixelsOf(width: number, height: number, paint: Paint): Uint8Array {
  const rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => paint(x, y)).flat());
  return Uint8Array.from(rows.flat());
}

export function png(width: number, height: number, { paint = plain, chunks = [] as Uint8Array[] } = {}): Buffer {
  const pixels = pixelsOf(width, height, paint);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * width * 4, (y + 1) * width * 4)]),
  );
  const data = pngChunk('IDAT', deflateSync(Buffer.concat(rows)));
  return Buffer.concat([pngStart, pngHeader(width, height), ...chunks, data, pngEnd]);
}

/** Of a palette with one colour, half transparent. */
export const palettePng = (width: number, height: number) =>
  Buffer.concat([
    pngStart,
    pngChunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 3, 0, 0, 0])])),
    pngChunk('PLTE', Buffer.from(red.slice(0, 3))),
    pngChunk('tRNS', Buffer.from([128])),
    pngChunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    pngEnd,
  ]);

export const jpeg = (width: number, height: number, paint: Paint = plain) =>
  Buffer.from(new PhotonImage(pixelsOf(width, height, paint), width, height).get_bytes_jpeg(95));

/** Lossless: one chunk `VP8L`. */
export const webp = (width: number, height: number, paint: Paint = plain) =>
  Buffer.from(new PhotonImage(pixelsOf(width, height, paint), width, height).get_bytes_webp());

/** A segment behind the start of a JPEG. */
export function withSegment(picture: Buffer, marker: number, data: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([picture.subarray(0, 2), Buffer.from([0xff, marker]), length, data, picture.subarray(2)]);
}

/** TIFF data of one directory: the orientation, and where the picture was taken. */
export function exif(orientation: number, little = true): Buffer {
  const text = 'GPS 35.6586N 139.7454E';
  const bytes = Buffer.alloc(64 + text.length);
  const put16 = (value: number, at: number) => (little ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at));
  const put32 = (value: number, at: number) => (little ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at));
  bytes.write(little ? 'II' : 'MM', 0, 'latin1');
  put16(42, 2);
  put32(8, 4);
  put16(2, 8);
  for (const [index, [tag, type, count, value]] of [
    [0x010e, 2, text.length, 64],
    [0x0112, 3, 1, orientation],
  ].entries()) {
    const entry = 10 + index * 12;
    put16(tag ?? 0, entry);
    put16(type ?? 0, entry + 2);
    put32(count ?? 0, entry + 4);
    if (type === 3) put16(value ?? 0, entry + 8);
    else put32(value ?? 0, entry + 8);
  }
  bytes.write(text, 64, 'latin1');
  return bytes;
}

export const exifSegment = (data: Uint8Array) => Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), data]);

export function webpChunk(name: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
}

export function webpOf(...chunks: Uint8Array[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), length, body]);
}

/** The extended header: its flags, and the size of the canvas. */
export function webpCanvas(flags: number, width: number, height: number): Buffer {
  const data = Buffer.alloc(10);
  data.writeUInt8(flags, 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}

/** The colours of what is served, decoded again. */
export function decoded(bytes: Uint8Array): { width: number; height: number; at(x: number, y: number): readonly number[] } {
  const image = PhotonImage.new_from_byteslice(bytes);
  const [width, height, pixels] = [image.get_width(), image.get_height(), image.get_raw_pixels()];
  return { width, height, at: (x, y) => [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)] };
}

/** Lossy, as Chromium writes it: 32 × 16, blue in the upper left quarter, red elsewhere, half transparent, with a colour profile. */
export const lossyWebpWithAlpha = Buffer.from(
  'UklGRlACAABXRUJQVlA4WAoAAAAwAAAAHwAADwAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAA' +
    'ACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0' +
    'AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAA' +
    'AAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAM' +
    'ZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZBTFBIFAAAAAEPUOCICIgFk/lLd2cQ0f8JoJ4fVlA4IEYAAADwAwCdASogABAA' +
    'Pm0skkWkIqGYBABABsS0AE6ZQjgbwD8QP1VAZbzAAP7xoR/wy//kerYW/nzhD6Wf35PqrzdOaVqBgAAA',
  'base64',
);

/** The same without opacity. */
export const lossyWebp = webpOf(
  webpCanvas(0x20, 32, 16),
  lossyWebpWithAlpha.subarray(lossyWebpWithAlpha.indexOf('ICCP'), lossyWebpWithAlpha.indexOf('ALPH')),
  webpChunk(
    'VP8 ',
    Buffer.from('8AMAnQEqIAAQAD5tKpFFpCKhmAQAQAbEtABOl4E8g/CX9Vf8AAicAAD+8rQ//yn/+0nJOVmmnRDTuz/Hl/PjPtKu++jIwAAA', 'base64'),
  ),
);

/** The same with its opacity as it is, which takes an odd number of bytes. */
export const lossyWebpWithPlainAlpha = webpOf(
  webpCanvas(0x10, 32, 16),
  webpChunk('ALPH', Buffer.concat([Buffer.of(0), Buffer.alloc(32 * 16, 128)])),
  lossyWebpWithAlpha.subarray(lossyWebpWithAlpha.indexOf('VP8 ')),
);

/** As libjpeg writes it with a restart marker in its coded data: 32 × 16, blue in the upper left quarter, red elsewhere. */
export const restartingJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBD' +
    'AQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAQACADASIAAhEBAxEB/8QAFgABAQEA' +
    'AAAAAAAAAAAAAAAAAAUG/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABUBAQEAAAAAAAAAAAAAAAAAAAUG/8QAGREAAgMBAAAAAAAAAAAAAAAAABVioeFj/90ABAAB' +
    '/9oADAMBAAIRAxEAPwDHCoEH3O8FEs60/9CEAOLE/9k=',
  'base64',
);
