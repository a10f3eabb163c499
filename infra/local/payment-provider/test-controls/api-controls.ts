import * as z from 'zod/mini';
import { parseParams } from '../objects/parse-params.ts';
import { type TestControl, wholeNumber } from './test-control.ts';

const FaultBody = z.object({ status: wholeNumber(599), delay_ms: wholeNumber(60_000) });

/** Outages of the provider's API. */
export const apiControls: readonly TestControl[] = [
  {
    method: 'POST',
    path: '/test/api',
    takes: '{"status"?, "delay_ms"?}',
    does: 'Makes the provider fail with this status, or slow. Empty: as usual. Not kept over a restart.',
    run: (_, __, body, faults) => {
      const { status, delay_ms: delayMs } = parseParams(FaultBody, body);
      faults.status = status;
      faults.delayMs = delayMs;
      return { status: status ?? null, delay_ms: delayMs ?? 0 };
    },
  },
];
