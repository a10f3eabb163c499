import { messages } from '../../../infra/documents/clients/license-client.ts';
import type { Language } from '../languages/language.ts';
import type { Device } from './device.ts';
import type { LeaseTerms } from './scripted-service.ts';

/** What the tests of a client share. */
export interface ClientUnderTest {
  language: Language;
  newDevice(): Promise<Device>;
  /** A device that was activated with `key`, and got a lease of these terms. */
  activatedDevice(terms?: Partial<LeaseTerms>): Promise<Device>;
  /** A test that mostly waits: all of them are begun before the first test, and each is judged in its turn. */
  waitingTest(name: string, body: () => Promise<void>): void;
}

/** By any code. */
export const sentences: Readonly<Record<string, string>> = messages;
export const key = 'LIC1-3AHRZ-6DMV2-9GQY5-CKT18-FPX1N';
export const unreachable = { allowed: false, code: 'unreachable', source: 'none', message: messages['unreachable'], features: [] };
export const byLease = { allowed: true, source: 'lease', features: ['export'] };
