/** What results of GuardDuty are recorded under. */
export const guardDutyName = 'guardduty';
