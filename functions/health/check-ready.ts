import type { Needs } from '../../shared/context.ts';
import { AppError } from '../../shared/errors.ts';

/** Checks whether a dependency answers; rejects when it does not. */
export type Probe = () => Promise<unknown>;

/** By the name of the dependency that each checks. */
export type Probes = Readonly<Record<string, Probe>>;

/** @throws AppError dependency_unavailable when the table, a queue or the file store does not answer, or a secret is not set. */
export async function checkReady(c: Needs<'logger'> & { probes: Probes }): Promise<void> {
  const outcomes = await Promise.all(Object.entries(c.probes).map(([name, probe]) => isWell(c, name, probe)));
  if (outcomes.includes(false)) throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 5 });
}

async function isWell(c: Needs<'logger'>, dependency: string, probe: Probe): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch (error) {
    c.logger.error('dependency_unavailable', { dependency, error });
    return false;
  }
}
