import { ProviderError } from './objects/provider-error.ts';

export interface HttpRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Where the hosted pages are. */
  baseUrl: string;
}

/** The refusal that `error` is; anything else is a fault of the fake provider, written to standard error. */
export function refusalIn(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  process.stderr.write(`fake payment provider: ${error instanceof Error ? error.stack : String(error)}\n`);
  return new ProviderError(500, 'The fake provider failed; its standard error says why.');
}
