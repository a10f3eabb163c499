/** Why an operation did not happen. */
export class ApiFailure extends Error {
  /** A code of the interface; `offline` where no reply came, `unauthenticated` also where nobody is signed in any more. */
  readonly code: string;
  /** Zero where no reply came. */
  readonly status: number;
  /** To quote to whoever runs the service; empty where no reply came. */
  readonly requestId: string;
  readonly retryAfterSeconds: number;

  constructor({ code, status = 0, message = '', requestId = '', retryAfterSeconds = 0 }: Partial<ApiFailure> & { code: string }) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the same request may succeed a while later. */
  get passes(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

/** What a reply that is not of the service itself means: gateways answer on their own when they are overloaded. */
export function codeOfStatus(status: number): string {
  if (status === 429) return 'rate_limited';
  if (status === 413) return 'payload_too_large';
  return status === 503 ? 'dependency_unavailable' : 'internal_error';
}
