import { Busboy } from '@fastify/busboy';
import { AppError } from '../errors.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import type { RawRequest } from './endpoint.ts';

/** The bytes of a file part, in order: views of the request's body, not copies. */
export class UploadedFile {
  readonly pieces: readonly Buffer[];
  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces;
  }
}

const pieceBytes = 64 * 1024;
const limits = { fieldNameSize: 100, fieldSize: 8 * 1024, parts: 20, headerPairs: 20, headerSize: 8 * 1024 };

/**
 * The parts of a multipart/form-data body by name: text, or an UploadedFile for the
 * part named `fileName`. Of two text parts of one name the last counts; other files are ignored.
 *
 * @throws AppError unsupported_media_type, invalid_request
 */
export async function readMultipart({ headers, body }: RawRequest, fileName: string): Promise<Record<string, unknown>> {
  const parser = createParser(headers['content-type'] ?? '', fileName);
  const texts = new Map<string, string>();
  const files: UploadedFile[] = [];
  await new Promise<void>((resolve, reject) => {
    let refused = false;
    const refuse = () => {
      refused = true;
      reject(invalidField('body', rules.notMultipart));
    };
    parser.once('finish', resolve);
    parser.once('error', refuse);
    parser.once('partsLimit', refuse);
    parser.on('field', (name, value, nameCut, valueCut) => {
      // The parser decodes what is not UTF-8 to this character.
      if (nameCut || valueCut || value.includes('\ufffd')) refuse();
      texts.set(name, value);
    });
    parser.on('file', (name, stream) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.once('error', refuse);
      if (name === fileName) files.push(new UploadedFile(pieces));
    });
    // Nothing after a fault is parsed: malformed parts can take the parser seconds.
    for (let at = 0; at < body.length && !refused; at += pieceBytes) parser.write(body.subarray(at, at + pieceBytes));
    if (!refused) parser.end();
  });
  if (files.length > 1) throw invalidField(fileName, rules.repeated);
  return { ...Object.fromEntries(texts), ...(files[0] && { [fileName]: files[0] }) };
}

function createParser(contentType: string, fileName: string) {
  try {
    const isPartAFile = (name: string | undefined, _type: string | undefined, original: string | undefined) =>
      name === fileName || original !== undefined;
    return new Busboy({ headers: { 'content-type': multipartOnly(contentType) }, limits, isPartAFile });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('unsupported_media_type', 'The content type must be multipart/form-data with a boundary.');
  }
}

function multipartOnly(contentType: string): string {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new AppError('unsupported_media_type', 'The content type must be multipart/form-data with a boundary.');
  }
  return contentType;
}
