import * as z from 'zod/mini';
import type { FileId, ProductId } from '../ids.ts';

/** The largest picture that can be uploaded, as a file and when it is decoded. */
export const maxPictureBytes = 2 * 1024 * 1024;
export const maxPicturePixels = 20_000_000;

/** What can be uploaded as a picture. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];
export const isPictureType = (contentType: string): contentType is PictureType => pictureTypes.some((type) => type === contentType);

/** What is served: every browser and every preview of a link shows these. */
const ServedType = z.enum(['image/png', 'image/jpeg']);
export type ServedType = z.infer<typeof ServedType>;

/** Why an upload is no picture that can be shown; recorded as `hash_error`. */
export const pictureFaults = {
  picture_unknown: 'The file is not a PNG, JPEG or WebP picture.',
  picture_type_mismatch: 'The picture is of another type than was declared.',
  picture_animated: 'The picture is animated. Upload a still picture.',
  picture_too_large: 'The picture has more than 20 megapixels.',
  picture_unreadable: 'The picture is damaged or incomplete.',
} as const;
export type PictureFaultCode = keyof typeof pictureFaults;

/** The upload is not a picture that can be shown. */
export class PictureFault extends Error {
  readonly code: PictureFaultCode;
  constructor(code: PictureFaultCode) {
    super(pictureFaults[code]);
    this.name = 'PictureFault';
    this.code = code;
  }
}

/** A picture encoded anew. */
export interface EncodedPicture {
  bytes: Uint8Array;
  contentType: ServedType;
  width: number;
  height: number;
}

/** What the table holds of a picture that was encoded anew: what it is, and where its bytes are. */
export const Picture = z.object({
  contentType: ServedType,
  width: z.int(),
  height: z.int(),
  sizeBytes: z.int(),
  sha256Hex: z.string(),
  storageKey: z.string(),
  versionId: z.string(),
});
export type Picture = z.infer<typeof Picture>;

interface PictureIds {
  productId: ProductId;
  fileId: FileId;
}

/** Where the bytes that are served are kept, apart from the upload they were made from. */
export const pictureKeyOf = ({ productId, fileId }: PictureIds) => `pictures/${productId}/${fileId}`;

const endings = { 'image/png': 'png', 'image/jpeg': 'jpg' } as const;

/** The name of a picture in its address: its content decides, so what is there never changes. */
export const pictureNameOf = ({ sha256Hex, contentType }: Pick<Picture, 'sha256Hex' | 'contentType'>) =>
  `${sha256Hex}.${endings[contentType]}`;

export const picturePathOf = ({ productId, fileId }: PictureIds, picture: Picture) =>
  `/images/${productId}/${fileId}/${pictureNameOf(picture)}`;
