/** A refusal in the shape that the provider gives it: `{error: {type, code, message, param}}`. */
export class ProviderError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;
  /** Found before anything was done: an idempotency key is still free for a mended request. */
  readonly isEarly: boolean;

  constructor(status: number, message: string, details: { type?: string; code?: string; param?: string; isEarly?: boolean } = {}) {
    super(message);
    this.status = status;
    this.type = details.type ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
    this.code = details.code;
    this.param = details.param;
    this.isEarly = details.isEarly ?? false;
  }

  toBody() {
    const { type, code, message, param } = this;
    return { error: { ...(code && { code }), message, ...(param && { param }), type } };
  }
}

export const refuse = (message: string, details: { code?: string; param?: string; isEarly?: boolean } = {}) =>
  new ProviderError(400, message, details);
export const missing = (noun: string, id: string) =>
  new ProviderError(404, `No such ${noun}: '${id}'`, { code: 'resource_missing', param: 'id' });

/** The refusal that `error` is; anything else is a fault of the fake provider, written to standard error. */
export function refusalIn(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  process.stderr.write(`fake payment provider: ${error instanceof Error ? error.stack : String(error)}\n`);
  return new ProviderError(500, 'The fake provider failed; its standard error says why.');
}
