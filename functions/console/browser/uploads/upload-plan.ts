/** How large all parts but the last are: small, so that little is sent anew, and still under 1,000 of the largest file. */
export const partSizeBytes = 8 * 1024 ** 2;
/** The largest picture, as `shared/pictures` has it. */
const maxPictureBytes = 2 * 1024 ** 2;
const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'];
/** What a release's file may be called. */
const releaseFileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;

export type UploadPurpose = 'download' | 'image' | 'release';

/** A file as someone chose it. */
export interface ChosenFile extends Blob {
  readonly name: string;
  readonly lastModified: number;
}

export interface Part {
  partNumber: number;
  start: number;
  sizeBytes: number;
}

export function partsOf(sizeBytes: number): Part[] {
  return Array.from({ length: Math.ceil(sizeBytes / partSizeBytes) }, (_, index) => {
    const start = index * partSizeBytes;
    return { partNumber: index + 1, start, sizeBytes: Math.min(partSizeBytes, sizeBytes - start) };
  });
}

/** The media type to declare: what the browser says, where it can stand in a header. */
export function contentTypeOf({ type }: Pick<Blob, 'type'>): string {
  return type.length <= 255 && mediaType.test(type) ? type : 'application/octet-stream';
}

/** Why the file cannot be uploaded, as a code, as far as that is known before anything was sent. */
export function faultOf(
  file: Pick<ChosenFile, 'name' | 'size'>,
  {
    purpose,
    contentType,
    maxBytes = Number.POSITIVE_INFINITY,
  }: { purpose: UploadPurpose; contentType: string; maxBytes?: number | undefined },
): string | undefined {
  if (file.size === 0) return 'file_empty';
  if (purpose === 'image' && !pictureTypes.includes(contentType)) return 'picture_unknown';
  if (purpose === 'image' && file.size > maxPictureBytes) return 'picture_too_heavy';
  if (file.size > maxBytes) return 'file_too_large';
  return purpose === 'release' && !releaseFileName.test(file.name) ? 'file_name_unfit' : undefined;
}
