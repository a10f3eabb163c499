/** A plain stream copy as a process of its own: it copies each file that its parent names, and answers. */
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

process.on('message', async ({ from, to }: { from: string; to: string }) => {
  await pipeline(createReadStream(from), createWriteStream(to, { flush: true }));
  process.send?.('copied');
});
process.stdout.write('ready\n');
