/**
 * List prices in US dollars, without free tiers and discounts, as known in November 2026.
 * Compare them with the providers' pages before a decision hangs on them.
 */
const everywhere = {
  lambda: { perRequest: 0.2e-6, perGbSecondArm: 0.0000133334 },
  queue: { perRequest: 0.4e-6 },
  mail: { perMail: 0.1e-3 },
  // Those of us-east-1; elsewhere they may be higher.
  malwareScan: { perGb: 0.09, perObject: 0.215e-3 },
  secret: { month: 0.4, perRead: 5e-6 },
  alarm: { metricMonth: 0.1 },
  metric: { month: 0.3 },
  dashboard: { month: 3 },
  contributorInsights: { ruleMonth: 0.5 },
  /** 10,000 users a month are free. */
  userPool: { perUser: 0.015 },
  firewall: { month: 5, ruleMonth: 1, perRequest: 0.6e-6 },
  cdn: { perFunctionRun: 0.1e-6 },
} as const;

const byRegion = {
  'us-east-1': {
    httpApi: { perRequest: 1e-6 },
    table: { perReadUnit: 0.125e-6, perWriteUnit: 0.625e-6, gbMonth: 0.25 },
    logs: { perGb: 0.5 },
    store: { perPut: 5e-6, perGet: 0.4e-6, gbMonth: 0.023 },
    /** Of viewers in the same part of the world. */
    cdnRequests: { perRequest: 1e-6 },
  },
  'ap-northeast-1': {
    httpApi: { perRequest: 1.29e-6 },
    table: { perReadUnit: 0.1425e-6, perWriteUnit: 0.715e-6, gbMonth: 0.285 },
    logs: { perGb: 0.76 },
    store: { perPut: 4.7e-6, perGet: 0.37e-6, gbMonth: 0.025 },
    cdnRequests: { perRequest: 1.2e-6 },
  },
} as const;

const isListed = (region: string | undefined): region is keyof typeof byRegion => region !== undefined && region in byRegion;
const { DEPLOY_REGION: asked } = process.env;
/** The Region of the prices: that of DEPLOY_REGION, where they are listed. */
export const priceRegion = isListed(asked) ? asked : 'us-east-1';

export const prices = { ...everywhere, ...byRegion[priceRegion] };

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
