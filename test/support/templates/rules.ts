import type { Rules } from './rule.ts';
import { alarmRules } from './rules/alarms.ts';
import { callRules } from './rules/calls.ts';
import { edgeRules } from './rules/edge.ts';
import { invocationRules } from './rules/invocations.ts';
import { keepingRules } from './rules/keeping.ts';
import { logRules } from './rules/logs.ts';
import { mailRules } from './rules/mail.ts';
import { policyRules } from './rules/policies.ts';
import { releaseRules } from './rules/releases.ts';
import { rightRules } from './rules/rights.ts';

/** What holds between resources. */
export const wiringRules: Rules = {
  ...invocationRules,
  ...rightRules,
  ...callRules,
  ...policyRules,
  ...logRules,
  ...alarmRules,
  ...keepingRules,
  ...releaseRules,
  ...mailRules,
  ...edgeRules,
};
