import { Resolver } from 'node:dns/promises';

/** Every address of a name, those of IPv4 first; none when it has none, or nobody tells. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Asks name servers directly, and again after two seconds. What asks through the operating system waits in threads
 * that all of the process shares, so that the slow name servers of one receiver would delay all others, and the table.
 */
export function createResolveName({ servers }: { servers?: readonly string[] } = {}): ResolveName {
  return async (name, signal) => {
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    if (servers) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel(), { once: true });
    const replies = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return replies.flatMap((reply) => (reply.status === 'fulfilled' ? reply.value : []));
  };
}
