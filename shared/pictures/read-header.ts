import { type Orientation, orientationOf } from './orientation.ts';
import { maxPicturePixels, PictureFault, type PictureType } from './picture.ts';

/** What a file says of itself before a pixel of it is decoded. */
export interface PictureHeader {
  type: PictureType;
  width: number;
  height: number;
  orientation: Orientation;
  /** The file again, with nothing in it but what its pixels are decoded from. */
  pixels: Uint8Array;
}

type Size = Pick<PictureHeader, 'width' | 'height'>;
type Found = Size & { exif?: Uint8Array | undefined; parts: readonly Uint8Array[] };

/** A progressive JPEG repeats every block with each scan; cameras and programs write about ten. */
const maxScans = 64;

/**
 * Walks through the container of a still picture from its first byte to its end, and measures it. A decoder
 * that is given `pixels` afterwards allocates no more than `maxPicturePixels` ask for: whatever else a file
 * carries, packed profiles and texts among it, never reaches one.
 *
 * @throws PictureFault
 */
export function readPictureHeader(bytes: Uint8Array): PictureHeader {
  const type = typeOf(bytes);
  if (type === undefined) throw new PictureFault('picture_unknown');
  const { width, height, exif, parts } = reading(() => readers[type](viewOf(bytes)));
  if (width === 0 || height === 0) throw new PictureFault('picture_unreadable');
  if (width * height > maxPicturePixels) throw new PictureFault('picture_too_large');
  return { type, width, height, orientation: exif ? orientationOf(exif) : 1, pixels: Buffer.concat(parts) };
}

const unreadable = () => new PictureFault('picture_unreadable');

/** The result of `read`; a file that ends too early is damaged. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw unreadable();
    throw error;
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** @throws RangeError when the file ends before */
function part(view: DataView, offset: number, length: number): Uint8Array {
  if (offset + length > view.byteLength) throw new RangeError('The file ends early.');
  return new Uint8Array(view.buffer, view.byteOffset + offset, length);
}

const ascii = (view: DataView, offset: number) => String.fromCharCode(...part(view, offset, 4));

function typeOf(bytes: Uint8Array): PictureType | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return /^RIFF....WEBP$/s.test(start) ? 'image/webp' : undefined;
}

const readers: Record<PictureType, (view: DataView) => Found> = { 'image/png': readPng, 'image/jpeg': readJpeg, 'image/webp': readWebp };

const animationChunks = new Set(['acTL', 'fcTL', 'fdAT']);
const pngPixels = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

function readPng(view: DataView): Found {
  if (ascii(view, 12) !== 'IHDR' || view.getUint32(8) !== 13) throw unreadable();
  const parts = [part(view, 0, 8)];
  let exif: Uint8Array | undefined;
  for (let offset = 8; ; ) {
    const [length, name] = [view.getUint32(offset), ascii(view, offset + 4)];
    const chunk = part(view, offset, 12 + length);
    if (animationChunks.has(name)) throw new PictureFault('picture_animated');
    if (name === 'eXIf') exif = chunk.subarray(8, -4);
    if (pngPixels.has(name)) parts.push(chunk);
    if (name === 'IEND') return { width: view.getUint32(16), height: view.getUint32(20), exif, parts };
    offset += chunk.length;
  }
}

/** Baseline, extended and progressive, with Huffman codes: what browsers show. */
const frameMarkers = new Set([0xc0, 0xc1, 0xc2]);
const notFrames = new Set([0xc4, 0xc8, 0xcc]);
const startOfScan = 0xda;
const endOfImage = 0xd9;
/** JFIF and Adobe say which colours the numbers mean. */
const colourMarkers = new Set([0xe0, 0xee]);
const isAside = (marker: number) => marker === 0xfe || (marker >= 0xe0 && marker <= 0xef && !colourMarkers.has(marker));

function readJpeg(view: DataView): Found {
  const parts = [part(view, 0, 2)];
  let frame: Size | undefined;
  let exif: Uint8Array | undefined;
  let scans = 0;
  for (let offset = 2; ; ) {
    const marker = view.getUint8(offset + 1);
    if (view.getUint8(offset) !== 0xff) throw unreadable();
    if (marker === endOfImage) {
      parts.push(part(view, offset, 2));
      break;
    }
    // Any number of fill bytes may stand before a marker.
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    const segment = part(view, offset + 4, view.getUint16(offset + 2) - 2);
    if (isFrame(marker)) {
      if (frame || !frameMarkers.has(marker)) throw unreadable();
      frame = { height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    }
    if (marker === 0xe1 && exif === undefined) exif = exifIn(segment);
    let end = offset + 4 + segment.length;
    if (marker === startOfScan) {
      scans += 1;
      end = endOfScan(view, end);
    }
    if (!isAside(marker)) parts.push(part(view, offset, end - offset));
    offset = end;
  }
  if (!frame || scans === 0 || scans > maxScans) throw unreadable();
  return { ...frame, exif, parts };
}

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker);

/** Where the next marker is: in coded data 0xff is followed by 0, or by the number of a restart. */
function endOfScan(view: DataView, start: number): number {
  for (let offset = start; ; offset += 1) {
    if (view.getUint8(offset) !== 0xff) continue;
    const next = view.getUint8(offset + 1);
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return offset;
  }
}

/** Exif behind its own name, which WebP may leave out. */
function exifIn(data: Uint8Array): Uint8Array | undefined {
  return Buffer.from(data.subarray(0, 6)).toString('latin1') === 'Exif\0\0' ? data.subarray(6) : undefined;
}

const animationFlag = 0x02;
const alphaFlag = 0x10;

function readWebp(view: DataView): Found {
  const end = 8 + view.getUint32(4, true);
  const parts: Uint8Array[] = [];
  let canvas: Size | undefined;
  let frame: Size | undefined;
  let exif: Uint8Array | undefined;
  for (let offset = 12; offset < end; ) {
    const [name, length] = [ascii(view, offset), view.getUint32(offset + 4, true)];
    const data = viewOf(part(view, offset + 8, length));
    if (name === 'VP8X') {
      if ((data.getUint8(0) & animationFlag) !== 0) throw new PictureFault('picture_animated');
      canvas = { width: uint24(data, 4) + 1, height: uint24(data, 7) + 1 };
      const flags = data.getUint8(0) & alphaFlag;
      parts.push(riffChunk(name, Buffer.concat([Buffer.of(flags), part(data, 1, 9)])));
    }
    if (name === 'ANIM' || name === 'ANMF') throw new PictureFault('picture_animated');
    if (name === 'VP8 ' || name === 'VP8L') {
      if (frame) throw unreadable();
      frame = name === 'VP8 ' ? lossyFrame(data) : losslessFrame(data);
    }
    if (name === 'ALPH' || name === 'VP8 ' || name === 'VP8L') parts.push(riffChunk(name, part(data, 0, length)));
    if (name === 'EXIF') exif = exifIn(part(view, offset + 8, length)) ?? part(view, offset + 8, length);
    offset += 8 + length + (length % 2);
  }
  if (!frame || (canvas && (canvas.width !== frame.width || canvas.height !== frame.height))) throw unreadable();
  return { ...frame, exif, parts: [riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))] };
}

function riffChunk(name: string, data: Uint8Array): Buffer {
  const start = Buffer.from(`${name}\0\0\0\0`);
  start.writeUInt32LE(data.length, 4);
  return Buffer.concat([start, data, Buffer.alloc(data.length % 2)]);
}

const uint24 = (view: DataView, offset: number) => view.getUint16(offset, true) + view.getUint8(offset + 2) * 0x10000;

function lossyFrame(data: DataView): Size {
  const isKeyFrame = (data.getUint8(0) & 1) === 0 && data.getUint16(3) === 0x9d01 && data.getUint8(5) === 0x2a;
  if (!isKeyFrame) throw unreadable();
  return { width: data.getUint16(6, true) & 0x3fff, height: data.getUint16(8, true) & 0x3fff };
}

function losslessFrame(data: DataView): Size {
  if (data.getUint8(0) !== 0x2f) throw unreadable();
  const bits = data.getUint32(1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
