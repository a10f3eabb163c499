import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Identity } from './callers/authenticate.ts';
import type { RawRequest } from './endpoint.ts';

/** A gateway event in the pipeline, with what its checks have established so far. */
export interface Call extends APIGatewayProxyEventV2 {
  readonly raw: RawRequest;
  /** The body: parsed, and then as the endpoint's schema makes it. */
  input: unknown;
  identity: Identity;
  /** What the reply says of members of the body that the endpoint does not know. */
  ignoredFields?: string | undefined;
}
