import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** PUTs a body that no memory has to hold, under a presigned URL. Returns the status. */
export function streamUpload(url: string, headers: Record<string, string>, body: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => {
    const upload = request(url, { method: 'PUT', headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    upload.on('error', reject);
    pipeline(Readable.from(body), upload).catch(reject);
  });
}
