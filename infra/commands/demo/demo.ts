import { refuseArguments, runCommand } from '../command-line.ts';

const usage = `Usage: npm run demo
  Drives the whole story against a running local stack, from a seller's application
  to a revoked license, and prints each request and reply.

  BASE_URL     where the stack answers; http://127.0.0.1:$PORT by default
  ADMIN_EMAIL  an address of ADMIN_ALLOWLIST; admin@example.com by default`;

await runCommand(usage, async (args) => {
  refuseArguments(args);
  // Only now: it needs the client that npm run demo generates before.
  const { tellStory } = await import('./story.ts');
  await tellStory();
});
