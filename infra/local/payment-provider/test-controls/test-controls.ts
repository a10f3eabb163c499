import * as z from 'zod/mini';
import { type HttpReply, jsonReply, redirectTo } from '../../http-reply.ts';
import { findRoute, type HttpRequest } from '../http-request.ts';
import { parseJsonObject, parseParams } from '../objects/parse-params.ts';
import { ProviderError } from '../provider-error.ts';
import type { ProviderStore } from '../store/provider-store.ts';
import { accountControls } from './account-controls.ts';
import { checkoutControls } from './checkout-controls.ts';
import { paymentControls } from './payment-controls.ts';
import { type ApiFaults, type TestControl, wholeNumber } from './test-control.ts';
import { webhookControls } from './webhook-controls.ts';

const FaultBody = z.object({
  status: wholeNumber(599),
  delay_ms: wholeNumber(60_000),
  payment_methods: z.optional(z.enum(['on', 'off', ''])),
});

/** Outages of the provider's API. */
const apiControl: TestControl = {
  method: 'POST',
  path: '/test/api',
  takes: '{"status"?, "delay_ms"?, "payment_methods"?: "on|off"}',
  does: 'Makes the provider fail with this status, slow, or without any way to pay switched on. Empty: as usual. Not kept over a restart.',
  run: (_, __, body, faults) => {
    const { status, delay_ms: delayMs, payment_methods: methods } = parseParams(FaultBody, body);
    const withoutMethods = methods === 'off';
    Object.assign(faults, { status, delayMs, withoutMethods });
    return { status: status ?? null, delay_ms: delayMs ?? 0, payment_methods: withoutMethods ? 'off' : 'on' };
  },
};

const controls = [...checkoutControls, ...paymentControls, ...accountControls, ...webhookControls, apiControl];

/** Every test control, as the overview page lists it. */
export const testControls = controls.map(({ method, path, takes, does }) => ({ method, path: path.replace(':id', '{id}'), takes, does }));

/** Runs a test control: from a script with JSON, or from a form of the overview, which then leads back to it. */
export function answerTestControl(store: ProviderStore, request: HttpRequest, faults: ApiFaults): HttpReply {
  const fromForm = String(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  const found = findRoute(controls, request);
  if (!found) throw new ProviderError(404, 'There is no such test control; the page at / lists them.');
  const body = fromForm ? Object.fromEntries(new URLSearchParams(request.body)) : parseJsonObject(request.body);
  const result = store.change((tx) => found.route.run(tx, found.id, body, faults));
  return fromForm ? redirectTo('/') : jsonReply(result);
}
