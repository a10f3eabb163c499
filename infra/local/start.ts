import { StartError } from './engine.ts';
import { startLocalStack } from './stack.ts';

/** `npm start`: the whole service on this machine, until it is interrupted. */
const say = (line: string) => console.log(line);

try {
  const stack = await startLocalStack({ say });
  say(`Ready: ${stack.address}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void stack.stop().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
