import type * as z from 'zod/mini';

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

/** `line_items[0][quantity]`, as the provider names a parameter. */
function paramName(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path.map(String);
  return `${first ?? ''}${rest.map((part) => `[${part}]`).join('')}`;
}

/** The provider's refusal of parameters that do not fit its schema. */
export function refusalOf(error: z.core.$ZodError): ProviderError {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? '']);
    return refuse(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param, isEarly: true });
  }
  const param = paramName(issue?.path ?? []);
  const absent = issue?.code === 'invalid_type' && issue.input === undefined;
  return absent
    ? refuse(`Missing required param: ${param}.`, { code: 'parameter_missing', param, isEarly: true })
    : refuse(`Invalid ${param}: ${issue?.message}`, { ...codeOf(param, issue?.input), param, isEarly: true });
}

/** The provider's code for a value that does not fit, where it has one. */
function codeOf(param: string, value: unknown): { code?: string } {
  if (value === '') return { code: 'parameter_invalid_empty' };
  if (/_url\]?$/.test(param)) return { code: 'url_invalid' };
  if (/_email\]?$/.test(param)) return { code: 'email_invalid' };
  return /(_amount|quantity|_at|\[amount)\]?$|^amount$/.test(param) ? { code: 'parameter_invalid_integer' } : {};
}
