import type { ConsoleConfig } from '../../console-config.ts';
import { ApiFailure } from '../api/failure.ts';
import { createStore } from '../store/store.ts';

/** What the service tells the console of itself; undefined until it did. */
export const config = createStore<ConsoleConfig | undefined>(undefined);

/** @throws ApiFailure offline where the service cannot be reached or does not know its identity provider */
export async function loadConfig(): Promise<ConsoleConfig> {
  const response = await fetch('/console/config.json');
  if (!response.ok) throw new ApiFailure({ code: 'dependency_unavailable', status: response.status });
  const loaded: ConsoleConfig = await response.json();
  config.set(loaded);
  return loaded;
}
