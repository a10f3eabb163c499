import { createRequestScan } from './guardduty.ts';

/** The scanner that works by itself. */
export const ownParts = () => ({ requestScan: createRequestScan() });
