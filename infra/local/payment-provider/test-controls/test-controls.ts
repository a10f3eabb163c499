import { type HttpReply, jsonReply, redirectTo } from '../../http-reply.ts';
import type { ApiFaults } from '../faults.ts';
import type { HttpRequest } from '../http-request.ts';
import { parseJsonObject } from '../objects/parse-params.ts';
import { ProviderError } from '../objects/provider-error.ts';
import type { ProviderStore } from '../store/provider-store.ts';
import { accountControls } from './account-controls.ts';
import { apiControls } from './api-controls.ts';
import { checkoutControls } from './checkout-controls.ts';
import { paymentControls } from './payment-controls.ts';
import { webhookControls } from './webhook-controls.ts';

const controls = [...checkoutControls, ...paymentControls, ...accountControls, ...webhookControls, ...apiControls];

/** Every test control, as the overview page lists it. */
export const testControls = controls.map(({ method, path, takes, does }) => ({ method, path: path.replace(':id', '{id}'), takes, does }));

/** Runs a test control: from a script with JSON, or from a form of the overview, which then leads back to it. */
export function answerTestControl(store: ProviderStore, request: HttpRequest, faults: ApiFaults): HttpReply {
  const fromForm = String(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  for (const { method, path, run } of controls) {
    const match = method === request.method ? new RegExp(`^${path.replace(':id', '([A-Za-z0-9_]+)')}$`).exec(request.path) : null;
    if (match) {
      const body = fromForm ? Object.fromEntries(new URLSearchParams(request.body)) : parseJsonObject(request.body);
      const result = store.change((tx) => run(tx, match[1] ?? '', body, faults));
      return fromForm ? redirectTo('/') : jsonReply(result);
    }
  }
  throw new ProviderError(404, 'There is no such test control; the page at / lists them.');
}
