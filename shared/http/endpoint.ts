import type * as z from 'zod/mini';
import type { TokenScope } from '../audit/caller.ts';
import type { ErrorCode } from '../errors.ts';
import type {
  ActivationId,
  BatchId,
  DiscountId,
  EndpointId,
  FileId,
  LicenseId,
  OrderId,
  ProductId,
  ReleaseId,
  SellerId,
  TokenId,
} from '../ids.ts';
import type { Identity } from './callers/authenticate.ts';

/** Who may call: anyone; a user with a verified identity; an allowlisted admin. */
export type Audience = 'anyone' | 'seller' | 'admin';

/** The rate limits that count the calls of a user. */
export const userRateLimits = ['email-requests', 'search'] as const;
/** Which rate limit counts the calls: those of a user, the others those of an address. */
export type RateLimitName = 'checkout' | 'complete' | 'download' | 'health' | 'offline' | 'quote' | (typeof userRateLimits)[number];

/**
 * Bodies in JSON. `json`: required. `optional-json`: absent or empty means `{}`. `json-if-sent`: so does one of any other
 * content type than `application/json`, which is not read.
 */
export type JsonBodyKind = 'json' | 'optional-json' | 'json-if-sent';
type BodyKind = JsonBodyKind | 'none' | 'multipart';
export const isJsonBodyKind = (bodyKind: BodyKind): bodyKind is JsonBodyKind => bodyKind.includes('json');

export type ZodSchema = z.core.$ZodType;
type Output<Schema> = Schema extends ZodSchema ? z.output<Schema> : undefined;

/** What the path parameters of the interface name, by their name in the code. */
interface PathParams {
  sellerId: SellerId;
  productId: ProductId;
  fileId: FileId;
  batchId: BatchId;
  orderId: OrderId;
  licenseId: LicenseId;
  activationId: ActivationId;
  endpointId: EndpointId;
  releaseId: ReleaseId;
  tokenId: TokenId;
  discountId: DiscountId;
}
type CodeName<Wire extends string> = Wire extends `${infer Word}_${infer Rest}` ? `${Word}${Capitalize<CodeName<Rest>>}` : Wire;
type PlainName<Name extends string> = Name extends `${infer Plain}+` ? Plain : Name;
type ParamNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? CodeName<PlainName<Name>> | ParamNames<Rest> : never;
/** The parameters in braces in a path, e.g. `{ productId: ProductId }` of `/v1/products/{product_id}`. */
export type ParamsOf<Path> = { [Name in ParamNames<Path>]: Name extends keyof PathParams ? PathParams[Name] : string };

/** What an endpoint's `handle` gets: parsed and checked, names in camelCase. */
export interface RequestInput<Body = unknown, Query = unknown, Params = unknown> {
  body: Body;
  query: Query;
  /** Path parameters, percent-decoded. What they name need not exist, nor be of the form of an id. */
  params: Params;
  /** Header values by lower-case name. */
  headers: Record<string, string | undefined>;
  /** The caller; never undefined where the audience is seller or admin. */
  identity: Identity;
  /** The address that limits count as the caller's. */
  caller: string;
  requestId: string;
  /** Asked by HEAD, so that only status and headers are sent. */
  isHead: boolean;
}

/** A reply with another status or with headers than the endpoint's usual ones. */
export class Reply {
  readonly body: unknown;
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  constructor(body: unknown, options: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body;
    this.status = options.status;
    this.headers = options.headers ?? {};
  }
}

/** A code the endpoint sends: with its usual status, or with the status named here. */
export type DeclaredError = ErrorCode | { code: ErrorCode; status: number };

/**
 * One endpoint: the source for its route, checks, reply shape and documentation.
 *
 * `Services` is what `handle` needs of its function's services, and no more.
 */
export interface Endpoint<Services = never> {
  /** Never set: makes the type of a list of endpoints demand the services of all of them. */
  needs?: (services: Services) => void;
  operationId: string;
  method: 'GET' | 'POST' | 'PATCH';
  /** With path parameters in braces, e.g. `/v1/products/{product_id}`; the last may take the whole rest of the path: `{path+}`. */
  path: string;
  tag: string;
  summary: string;
  description?: string | undefined;
  audience: Audience;
  /** The scopes each of which opens it to an API token; without them none does. What else a token must have, `handle` asks. */
  tokenScopes?: readonly TokenScope[] | undefined;
  rateLimit?: RateLimitName | readonly RateLimitName[] | undefined;
  /** `multipart`: read by `readParts`. */
  bodyKind: BodyKind;
  /** The parts of a multipart body by their wire name, to be parsed by `body`. The endpoint brings it so that no other bundle holds its parser. */
  readParts?(request: RawRequest): Promise<Record<string, unknown>>;
  body?: ZodSchema | undefined;
  /** `body` as the settings narrow it further; the documents show `body`. */
  bodyFor?(services: Services): ZodSchema;
  query?: ZodSchema | undefined;
  /** The query comes from third-party programs: names are not converted, and malformed, empty or repeated parameters are ignored. */
  isQueryForeign?: boolean | undefined;
  /** `otherContentTypes`: those that a Reply may have instead. */
  success: {
    status: number;
    body?: ZodSchema | undefined;
    contentType?: string;
    otherContentTypes?: readonly string[];
    /** What else a Reply may have for a status, and what that tells; `bodiless` ones have no body. */
    otherStatuses?: Readonly<Record<number, { description: string; bodiless?: true }>>;
    description?: string;
  };
  /** The reply holds a key, token or short-lived URL: no cache may keep it. */
  sensitive?: boolean | undefined;
  /** Any cache may keep the reply this long. It has an ETag then, and If-None-Match may be answered with 304. */
  cacheSeconds?: number | undefined;
  /** Codes of its own; those that every endpoint of its kind can send are added by `errorsOf`. */
  errors: readonly DeclaredError[];
  /** Called by our own pages only, so it does not answer OPTIONS requests of other origins. */
  isSameOrigin?: true | undefined;
  /** Runs on the raw bytes before the body is parsed, e.g. to verify a signature. */
  verify?(request: RawRequest, services: Services): void;
  /** Runs when validation of the body fails, and may throw an authorization error to report instead. It gets the JSON object as it came. */
  beforeFields?(sent: unknown, services: Services): Promise<void>;
  handle(input: RequestInput, services: Services, raw: RawRequest): unknown;
}

export interface RawRequest {
  headers: Record<string, string | undefined>;
  /** The body, where it came as text. */
  text: string | undefined;
  body: Buffer;
}

type Declaration<Path extends string, Services, Body extends ZodSchema | undefined, Query extends ZodSchema | undefined> = Omit<
  Endpoint<Services>,
  'path' | 'body' | 'query' | 'bodyKind' | 'handle' | 'needs'
> & {
  path: Path;
  body?: Body;
  query?: Query;
  bodyKind?: Endpoint['bodyKind'];
  /** Returns the reply's body, to be parsed by `success.body`; or a Reply. */
  handle(input: RequestInput<Output<Body>, Output<Query>, ParamsOf<Path>>, services: Services, raw: RawRequest): unknown;
};

/** The limits that count its calls, in the order in which they are looked at. */
export const rateLimitsOf = ({ rateLimit = [] }: Pick<Endpoint, 'rateLimit'>): readonly RateLimitName[] =>
  typeof rateLimit === 'string' ? [rateLimit] : rateLimit;

/** Whether it counts among the writes of its user: whatever sellers send but do not merely read by GET. */
export const isSellerWrite = ({ audience, method }: Pick<Endpoint, 'audience' | 'method'>): boolean =>
  audience === 'seller' && method !== 'GET';

/** Whether its replies name what it does not know: fields of a JSON body, or parameters of a read. */
export const namesIgnored = ({ audience, method, bodyKind, body }: Pick<Endpoint, 'audience' | 'method' | 'bodyKind' | 'body'>): boolean =>
  audience !== 'anyone' && (method === 'GET' || (isJsonBodyKind(bodyKind) && body !== undefined));

/** Whether no cache may keep its replies: they hold a secret, or are meant for one caller. */
export const isPrivate = ({ sensitive, audience }: Pick<Endpoint, 'sensitive' | 'audience'>): boolean =>
  sensitive === true || audience !== 'anyone';

/** Whether it answers HEAD too, as GET without body: what anyone may read. */
export const answersHead = ({ method, audience }: Pick<Endpoint, 'audience'> & { method: string }): boolean =>
  method === 'GET' && audience === 'anyone';

/** Declares an endpoint; `handle` gets the parsed types of its `body` and `query` schemas and of its path. */
export function endpoint<
  const Path extends string,
  Services = unknown,
  Body extends ZodSchema | undefined = undefined,
  Query extends ZodSchema | undefined = undefined,
>(declaration: Declaration<Path, Services, Body, Query>): Endpoint<Services> {
  const bodyKind = declaration.bodyKind ?? (declaration.body ? 'json' : 'none');
  return { ...declaration, bodyKind };
}
