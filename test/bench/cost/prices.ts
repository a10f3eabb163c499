/**
 * List prices in US dollars for us-east-1, without free tiers and discounts, as known in November 2026.
 * Compare them with the providers' pages before a decision hangs on them.
 */
export const prices = {
  lambda: { perRequest: 0.2e-6, perGbSecondArm: 0.0000133334 },
  httpApi: { perRequest: 1e-6 },
  table: { perReadUnit: 0.125e-6, perWriteUnit: 0.625e-6, gbMonth: 0.25 },
  queue: { perRequest: 0.4e-6 },
  mail: { perMail: 0.1e-3 },
  logs: { perGb: 0.5 },
  store: { perPut: 5e-6, perGet: 0.4e-6, gbMonth: 0.023 },
  malwareScan: { perGb: 0.09, perObject: 0.215e-3 },
  secret: { month: 0.4, perRead: 5e-6 },
  alarm: { metricMonth: 0.1 },
  metric: { month: 0.3 },
} as const;

/** What a call takes in the cloud beside its own computing. Assumed; it is not measured here. */
export const cloud = {
  /** A request to the table, queues or secrets, from a function. */
  requestMs: 5,
  /** A request to the payment provider. */
  providerMs: 500,
  /** Memory with which a function has one processor of its own; with less it has as much less of it. */
  mbPerProcessor: 1769,
  /** What one function reads of one object. */
  storeMbPerSecond: 90,
  /** A line of the log, with what the platform adds to each invocation. */
  logBytes: 600,
} as const;
