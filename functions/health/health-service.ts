import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';

/** Checks whether a dependency answers; rejects when it does not. */
export type Probe = () => Promise<unknown>;

export type HealthService = ReturnType<typeof createHealthService>;

/** `probes` by the name of the dependency that each checks. */
export function createHealthService({ probes, logger }: { probes: Record<string, Probe>; logger: Logger }) {
  async function isWell(dependency: string, probe: Probe): Promise<boolean> {
    try {
      await probe();
      return true;
    } catch (error) {
      logger.error('dependency_unavailable', { dependency, error });
      return false;
    }
  }

  return {
    /** @throws AppError dependency_unavailable when the table, a queue or the file store does not answer, or a secret is not set. */
    async checkReady(): Promise<void> {
      const outcomes = await Promise.all(Object.entries(probes).map(([name, probe]) => isWell(name, probe)));
      if (outcomes.includes(false)) throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 5 });
    },
  };
}
