import type { Rules } from './rule.ts';
import { alarmRules } from './rules/alarms.ts';
import { invocationRules } from './rules/invocations.ts';
import { keepingRules } from './rules/keeping.ts';
import { logRules } from './rules/logs.ts';
import { policyRules } from './rules/policies.ts';
import { referenceRules } from './rules/references.ts';
import { rightRules } from './rules/rights.ts';

/** What holds of the templates, and between their resources. */
export const rules: Rules = {
  ...referenceRules,
  ...invocationRules,
  ...rightRules,
  ...policyRules,
  ...logRules,
  ...alarmRules,
  ...keepingRules,
};
