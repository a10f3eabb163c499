/** The deployed hasher as a process of its own: it handles each event that its parent sends, and answers. */
import { handler } from '../../../functions/file-hasher/handler.ts';

process.on('message', async (event: Parameters<typeof handler>[0]) => {
  process.send?.(await handler(event, undefined as never));
});
process.stdout.write('ready\n');
