import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { AppError, type ErrorCode, errorCodes, refusalCodes } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import { type DeclaredError, type Endpoint, isJsonBodyKind, isSellerWrite, rateLimitsOf } from './endpoint.ts';

type Declaring = Pick<Endpoint, 'operationId' | 'method' | 'errors' | 'audience' | 'bodyKind' | 'query' | 'isQueryForeign' | 'rateLimit'>;

/** Every code an endpoint can send, with its status there: its own and those of its kind. */
export function errorsOfEndpoint(endpoint: Declaring): { code: ErrorCode; status: number }[] {
  const { audience, bodyKind, query, isQueryForeign } = endpoint;
  const declared: DeclaredError[] = [
    ...(rateLimitsOf(endpoint).length > 0 || isSellerWrite(endpoint) ? (['rate_limited'] as const) : []),
    ...(audience === 'seller' ? (['unauthenticated', 'token_scope_insufficient'] as const) : []),
    ...(audience === 'admin' ? (['forbidden'] as const) : []),
    'payload_too_large',
    ...(bodyKind === 'none' || bodyKind === 'json-if-sent' ? [] : (['unsupported_media_type'] as const)),
    ...(bodyKind === 'none' ? [] : (['invalid_request'] as const)),
    ...(isJsonBodyKind(bodyKind) ? (['invalid_json'] as const) : []),
    ...(query && !isQueryForeign ? (['invalid_request'] as const) : []),
    ...endpoint.errors,
    'internal_error',
    'dependency_unavailable',
  ];
  const statuses = new Map(
    declared.map((error) => (typeof error === 'string' ? [error, errorCodes[error].status] : [error.code, error.status])),
  );
  return [...statuses].map(([code, status]) => ({ code, status }));
}

/** The caller named in the log line of a refusal; evaluated only when there is one. */
export interface RefusalContext {
  requestId: string;
  /** What the log calls the caller. */
  caller: () => string | undefined;
  /** The user or the token, where the caller is known. */
  subject?: string | undefined;
}

/** The Error reply for whatever was thrown. Only the message of an AppError reaches the caller. */
export function errorReply(
  thrown: unknown,
  { requestId, caller, subject }: RefusalContext,
  endpoint: Declaring | undefined,
  logger: Logger,
): APIGatewayProxyStructuredResultV2 {
  const error = thrown instanceof AppError ? thrown : new AppError('internal_error', undefined, { cause: thrown });
  const { code, message, retryAfterSeconds, cause } = error;
  const status = endpoint?.errors.find((declared) => typeof declared !== 'string' && declared.code === code);
  const statusCode = typeof status === 'object' ? status.status : errorCodes[code].status;
  if (statusCode >= 500) {
    logger.error('request_failed', { code, requestId, operation: endpoint?.operationId, error: cause ?? error });
  }
  if (refusalCodes.has(code)) {
    logger.warn('request_refused', { code, requestId, operation: endpoint?.operationId, caller: caller(), subject });
  }
  return {
    statusCode,
    headers: {
      'Content-Type': 'application/json',
      ...((statusCode === 429 || statusCode === 503) && { 'Retry-After': String(retryAfterSeconds ?? 1) }),
      ...(statusCode === 401 && { 'WWW-Authenticate': 'Bearer' }),
    },
    body: JSON.stringify({ code, message, request_id: requestId }),
  };
}
