/** How the provider's interface misbehaves at the moment. */
export interface ApiFaults {
  /** Every request is answered with this status. */
  status?: number | undefined;
  /** Every request waits this long before it is looked at. */
  delayMs?: number | undefined;
}
