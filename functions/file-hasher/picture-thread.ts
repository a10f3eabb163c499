/**
 * Runs inside a thread of its own for one picture: decodes it and encodes its pixels anew. Whatever the
 * decoder does with a hostile file, it does in the memory of a WebAssembly module that ends with the thread.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PhotonImage, resize, SamplingFilter } from '@silvia-odwyer/photon-node';
import { type Pixels, turnUpright } from '../../shared/pictures/orientation.ts';
import type { EncodedPicture, PictureType, ServedType } from '../../shared/pictures/picture.ts';
import type { PictureHeader } from '../../shared/pictures/read-header.ts';
import type { ThreadReply } from './encode-picture.ts';

/** Sharp on wide screens; a picture that stays too large is made smaller, to the last of these. */
const maxEdges = [1920, 960, 480];
/** What a page can carry eight times, and a reply of the gateway once. */
const maxBytes = 1024 * 1024;
const jpegQuality = 85;

/** The decoder panics about a file that it cannot read. */
function decode({ pixels, width, height }: PictureHeader): PhotonImage | undefined {
  try {
    const image = PhotonImage.new_from_byteslice(pixels);
    return image.get_width() === width && image.get_height() === height ? image : undefined;
  } catch {
    return undefined;
  }
}

function encode(image: PhotonImage, header: PictureHeader): EncodedPicture {
  for (const maxEdge of maxEdges) {
    const pixels = turnUpright(fitted(image, maxEdge), header.orientation);
    for (const contentType of typesFor(header.type, pixels)) {
      const encoded = encoders[contentType](pixels);
      if (encoded.length <= maxBytes) return { bytes: encoded, contentType, width: pixels.width, height: pixels.height };
    }
  }
  throw new Error('The picture stays too large.');
}

function fitted(image: PhotonImage, maxEdge: number): Pixels {
  const [width, height] = [image.get_width(), image.get_height()];
  const scale = Math.min(1, maxEdge / Math.max(width, height));
  if (scale === 1) return { rgba: image.get_raw_pixels(), width, height };
  const [toWidth, toHeight] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const smaller = resize(image, toWidth, toHeight, SamplingFilter.Triangle);
  return { rgba: smaller.get_raw_pixels(), width: toWidth, height: toHeight };
}

/** PNG stays PNG where it can: it is what drawings and windows look best in. Only PNG can be transparent. */
function typesFor(type: PictureType, { rgba }: Pixels): readonly ServedType[] {
  const opaque = rgba.every((value, index) => index % 4 !== 3 || value === 255);
  if (!opaque) return ['image/png'];
  return type === 'image/png' ? ['image/png', 'image/jpeg'] : ['image/jpeg'];
}

const encoders: Record<ServedType, (pixels: Pixels) => Uint8Array> = {
  'image/png': ({ rgba, width, height }) => new PhotonImage(rgba, width, height).get_bytes(),
  'image/jpeg': ({ rgba, width, height }) => new PhotonImage(rgba, width, height).get_bytes_jpeg(jpegQuality),
};

const header: PictureHeader = workerData;
const image = decode(header);
const reply: ThreadReply = { encoded: image && encode(image, header) };
parentPort?.postMessage(reply);
