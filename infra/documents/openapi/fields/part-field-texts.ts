import { exampleSha256, type FieldText } from './field-texts.ts';

/** The fields of uploads in parts, named as those of `fieldTexts`. */
export const partFieldTexts: Readonly<Record<string, FieldText>> = {
  part_count: { text: 'How many parts the file has. The last is what the others leave.', example: 6 },
  part_number: { text: 'Which part it is, from 1.', example: 1 },
  part_size_bytes: { text: 'How large each part is, but the last; 8 to 64 MiB.', example: 16_777_216 },
  parts: { text: 'One to 16 parts, each once.' },
  'ProductFileUploadIntentRequest.part_size_bytes': {
    text: 'To upload the file in parts: how large each is, but the last; 8 to 64 MiB.',
    example: 16_777_216,
  },
  'ProductFileUploadIntentResponse.parts': { text: 'How to upload the file in parts; where the request names their size.' },
  'ProductFileUploadIntentResponse.parts.expires_at': {
    text: 'Until when the file can be uploaded in parts.',
    example: '2026-02-01T09:00:00.000Z',
  },
  'SignFilePartsRequest.parts.sha256_hex': { text: 'The SHA-256 of the part, in hexadecimal.', example: exampleSha256 },
  'SignedFileParts.items.required_headers': {
    text: 'Send exactly these headers with the PUT of the part.',
    example: { 'content-length': '16777216', 'x-amz-checksum-sha256': 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=' },
  },
  'SignedFileParts.items': { text: 'In the order of the request.' },
  'StoredFileParts.items': { text: 'By number, all of them.' },
  'StoredFileParts.items.sha256_hex': { text: 'The SHA-256 of the part, in hexadecimal.', example: exampleSha256 },
  'StoredFileParts.items.size_bytes': { text: 'The size of the part.', example: 16_777_216 },
};
