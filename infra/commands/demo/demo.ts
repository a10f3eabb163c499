import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { refuseArguments, runCommand } from '../command-line.ts';
import { decideOffline } from './apps.ts';
import { base } from './base.ts';

const usage = `Usage: npm run demo [-- offline]
  Drives the whole story against a running local stack, from a seller's application
  to a revoked license, and prints each request and reply. At the end it prints
  links to another purchase, whose license stays active.
  offline: decides as the story's apps would without network, by the leases that they
  keep in build/demo. No request is made, so the stack may be stopped.

  BASE_URL     where the stack answers; http://127.0.0.1:$PORT by default
  ADMIN_EMAIL  an address of ADMIN_ALLOWLIST; admin@example.com by default`;

const root = join(import.meta.dirname, '..', '..', '..');

await runCommand(usage, async (args) => {
  if (args.length === 1 && args[0] === 'offline') return decideOffline();
  refuseArguments(args);
  await refuseUnreachable();
  await promisify(execFile)('npm', ['run', '--silent', 'client'], { cwd: root });
  // Only now: it needs the client.
  const { tellStory } = await import('./story.ts');
  await tellStory();
});

async function refuseUnreachable(): Promise<void> {
  await fetch(`${base}/healthz`).catch(() => {
    throw new Error(
      `Nothing answers at ${base}. Start the service first: npm start. Where it listens on another port, name that: PORT=4000 npm run demo`,
    );
  });
}
