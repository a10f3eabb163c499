/**
 * Rights that the functions need and no whole stack uses in the tests, each with its reason. A right is named
 * as `npm run test:rights` names it; `*` stands for any text.
 */
export const unusedInTests: Readonly<Record<string, string>> = {
  '* logs:*': 'Lambda writes the log; the local stack prints it.',
  '* sqs:ChangeMessageVisibility *': 'Lambda takes messages for the worker, and asks for all of this when it is connected to a queue.',
  '* sqs:GetQueueUrl *': 'The same.',
  'event-publisher dynamodb:* table/*/stream/*': 'Lambda reads the stream; the local stack finds new events among the pending jobs.',
  'file-scanner guardduty:SendObjectMalwareScan *': 'There is no GuardDuty here.',
  'mail-sender ses:SendEmail identity/*':
    'A mail needs the identity that is verified, the address or its domain; which one it is, the templates do not know.',
};
