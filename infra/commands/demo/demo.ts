import { refuseArguments, runCommand } from '../command-line.ts';
import { decideOffline } from './apps.ts';

const usage = `Usage: npm run demo [-- offline]
  Drives the whole story against a running local stack, from a seller's application
  to a revoked license, and prints each request and reply.
  offline: decides as the story's apps would without network, by the leases that they
  keep in build/demo. No request is made, so the stack may be stopped.

  BASE_URL     where the stack answers; http://127.0.0.1:$PORT by default
  ADMIN_EMAIL  an address of ADMIN_ALLOWLIST; admin@example.com by default`;

await runCommand(usage, async (args) => {
  if (args.length === 1 && args[0] === 'offline') return decideOffline();
  refuseArguments(args);
  // Only now: it needs the client that npm run demo generates before.
  const { tellStory } = await import('./story.ts');
  await tellStory();
});
