/** Why an upload does not go on: the API's own failures are such, and what happens in the browser. */
export interface UploadFailure {
  code: string;
  /** 0 or absent without a reply. */
  status?: number;
  requestId?: string;
  retryAfterSeconds?: number;
}

/** A failure that no reply of the API named. */
export class UploadFault extends Error implements UploadFailure {
  readonly code: string;
  readonly status: number;
  constructor(code: string, status = 0) {
    super(code);
    this.name = 'UploadFault';
    this.code = code;
    this.status = status;
  }
}

const numberIn = (error: object, field: string): number => {
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'number' ? value : 0;
};

export function failureOf(error: unknown): UploadFailure {
  if (typeof error !== 'object' || error === null || !('code' in error) || typeof error.code !== 'string') return { code: 'upload_failed' };
  const requestId: unknown = Reflect.get(error, 'requestId');
  return {
    code: error.code,
    status: numberIn(error, 'status'),
    retryAfterSeconds: numberIn(error, 'retryAfterSeconds'),
    ...(typeof requestId === 'string' && requestId !== '' && { requestId }),
  };
}

/** How often in a row something may fail while the network is there, without one part more being stored. */
const mostFailures = 8;
const mostSeconds = 30;

export type Remedy = { name: 'wait'; seconds: number } | { name: 'sign-in' } | { name: 'give-up' };

/** What to do after the `count`th failure in a row: what may pass by itself is waited for, without a network for ever. */
export function remedyOf({ code, status = 0, retryAfterSeconds = 0 }: UploadFailure, count: number): Remedy {
  if (status === 401) return { name: 'sign-in' };
  const seconds = Math.max(retryAfterSeconds, Math.min(mostSeconds, 2 ** (count - 1)));
  if (code === 'offline' || status === 429) return { name: 'wait', seconds };
  return status >= 500 && count <= mostFailures ? { name: 'wait', seconds } : { name: 'give-up' };
}

/** Whether the same file may be tried again as it is. */
export const isWorthRetrying = (code: string): boolean =>
  !['file_changed', 'file_empty', 'file_too_large', 'file_name_unfit', 'picture_unknown', 'picture_too_heavy'].includes(code);
