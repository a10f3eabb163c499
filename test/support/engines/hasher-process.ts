/** The deployed hasher as a process of its own: it handles each event that its parent sends, and answers. */
import { parts } from '../../../functions/file-hasher/declaration.ts';
import { writeStart } from '../../../infra/bundles/write-start.ts';

const { handler } = await import(writeStart('file-hasher', parts));

process.on('message', async (event) => {
  process.send?.(await handler(event, undefined));
});
process.stdout.write('ready\n');
