/**
 * The messages of our log lines, one for each event worth logging. Alarms count some of them, so a line and what
 * matches it name the message by this list.
 */
export const logMessages = [
  // Requests
  'request_failed',
  'request_refused',
  'dependency_unavailable',
  'secrets_not_refreshed',
  // Orders
  'checkout_started',
  'order_updated',
  'payment_methods_off',
  // Jobs
  'job_ended',
  'job_dead',
  'job_postponed',
  'job_throttled',
  'job_not_sent',
  'job_not_taken',
  'jobs_sent_again',
  'sweep_finished',
  'queue_not_filled',
  'message_not_handled',
  // Mails
  'mail_reported',
  'mail_report_ignored',
  'mail_undeliverable',
  // Licenses
  'license_not_issued',
  // Discounts
  'discount_over_redeemed',
  // Sellers' events
  'event_not_delivered',
  'events_late',
  // Files
  'file_scanned',
  'file_not_verified',
  'object_unreadable',
  'scan_engine_failed',
  'scan_result_ignored',
  'approved_file_infected',
  // The local stack
  'alarm_not_told',
  'request_not_answered',
  'function_failed',
  'schedule_failed',
  'batch_not_handled',
  'stream_not_read',
  'mail_event_not_published',
  'stop_failed',
] as const;
export type LogMessage = (typeof logMessages)[number];

/** The log messages that alarms count. Tests ensure that each is logged. */
export const alarmedMessages = {
  deadJobs: ['job_dead'],
  failingJobs: ['job_postponed'],
  failingEndpoints: ['event_not_delivered'],
  infectedOffers: ['approved_file_infected'],
  lateEvents: ['events_late'],
  lateLicenses: ['license_not_issued'],
  overRedeemedDiscounts: ['discount_over_redeemed'],
  oldestDue: ['sweep_finished'],
  paymentMethodsOff: ['payment_methods_off'],
  refusals: ['request_refused'],
  throttledMails: ['job_throttled'],
  undeliverableMails: ['mail_undeliverable'],
  unsweptJobs: ['job_not_taken', 'job_not_sent'],
} as const satisfies Record<string, readonly LogMessage[]>;
