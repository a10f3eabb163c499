import { refuseArguments, runCommand } from '../../../infra/commands/command-line.ts';

const usage = `Usage: npm run cost
  Measures what validates, checks for updates, activations, sales and files take, and reckons what a million
  of each costs in the cloud, and what is paid for being there, with the prices and assumptions of
  test/bench/cost/prices.ts: of the Region in DEPLOY_REGION where they are listed there, else of us-east-1.`;

await runCommand(usage, async (args) => {
  refuseArguments(args);
  // Only now: it is much to load for who asks how this is called.
  const { reportCosts } = await import('./report.ts');
  await reportCosts();
});
