import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Identity } from './authenticate.ts';
import type { RawRequest } from './endpoint.ts';

/** A gateway event on its way through the checks, with what they found out. */
export interface Call extends APIGatewayProxyEventV2 {
  readonly raw: RawRequest;
  /** What the body says: parsed, then as the endpoint's schema makes it. */
  input: unknown;
  identity: Identity;
}
