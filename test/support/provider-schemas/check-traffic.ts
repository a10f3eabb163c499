import { parseForm } from '../../../infra/local/payment-provider/api/form-body.ts';
import type { RecordedExchange } from '../http/recording-proxy.ts';
import {
  type AnswerName,
  faultsOfAnswer,
  faultsOfRequest,
  faultsOfWebhook,
  namesOf,
  type RequestName,
  type WebhookName,
} from './provider-schemas.ts';

/** `GET /v1/charges/:id` */
export function routeOf({ method, path }: Pick<RecordedExchange, 'method' | 'path'>): string {
  const known = namesOf('requests').find((name) => new RegExp(`^${name.replaceAll(':id', '[^/]+')}$`).test(`${method} ${path}`));
  return known ?? `${method} ${path}`;
}

/** The parameters of a request: of a v1 one as texts, for it is a form. */
export function paramsOf({ method, path, query, requestBody }: RecordedExchange): unknown {
  if (method === 'GET') return parseForm(query);
  return path.startsWith('/v2/') ? JSON.parse(requestBody) : parseForm(requestBody);
}

/** Why a request and its answer are not what the SDK's types say. What the provider refused may be of any form. */
export function faultsOfExchange(exchange: RecordedExchange): string[] {
  const name = routeOf(exchange);
  const answer = JSON.parse(exchange.body);
  const faults =
    exchange.status >= 400
      ? faultsOfAnswer('refusal', answer)
      : [...faultsOfRequest(name as RequestName, paramsOf(exchange)), ...faultsOfAnswer(name as AnswerName, answer)];
  return faults.map((fault) => `${name} ${exchange.status}: ${fault}`);
}

/** Why the body of a webhook is not what the SDK's types say. */
export function faultsOfEvent(body: string): string[] {
  const event = JSON.parse(body);
  if (!namesOf('webhooks').includes(event.type)) return [`The SDK has no event of type ${event.type}.`];
  return faultsOfWebhook(event.type as WebhookName, event).map((fault) => `${event.type}: ${fault}`);
}
