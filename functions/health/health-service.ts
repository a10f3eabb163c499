import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';

export type HealthService = ReturnType<typeof createHealthService>;

/** `probes` by the name of what each asks; a probe rejects when that is away. */
export function createHealthService({ probes, logger }: { probes: Record<string, () => Promise<unknown>>; logger: Logger }) {
  return {
    /** @throws AppError dependency_unavailable when the table, a queue or the file store is away. */
    async checkReady(): Promise<void> {
      const outcomes = await Promise.all(Object.entries(probes).map(([name, probe]) => isWell(name, probe)));
      if (outcomes.includes(false)) throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 5 });
    },
  };

  async function isWell(dependency: string, probe: () => Promise<unknown>): Promise<boolean> {
    try {
      await probe();
      return true;
    } catch (error) {
      logger.error('dependency_unavailable', { dependency, error });
      return false;
    }
  }
}
