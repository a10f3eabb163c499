import { isAllowed } from '../evaluate.ts';
import { account, region } from '../identifiers.ts';
import type { Rules } from '../rule.ts';
import type { Service, ServiceFunction } from '../service.ts';
import { actionsIn, unknownCommandsIn } from '../source-calls.ts';

const prefixes = ['files/', 'pictures/'];

/** What a function would do an action to, by its settings: one list for each thing of which it needs the right on one. */
function targetsOf({ at, ofType }: Service, { environment }: ServiceFunction, action: string): string[][] {
  const arnsOf = (names: RegExp) =>
    Object.entries(environment).flatMap(([setting, value]) => (names.test(setting) ? (at(value)?.arn ?? []) : []));
  const [service] = action.split(':');
  if (service === 'sqs') return arnsOf(/_QUEUE_URL$/).map((arn) => [arn]);
  if (service === 'guardduty') return environment['MALWARE_PLAN_ARN'] ? [['*']] : [];
  if (action === 'secretsmanager:DescribeSecret') return (environment['SECRETS_TO_SET']?.split(',') ?? []).map((arn) => [arn]);
  if (action === 'ses:GetAccount') return environment['MAIL_FROM'] ? [['*']] : [];
  if (service === 'ses') {
    const domain = environment['MAIL_FROM']?.split('@')[1];
    const sets = ofType('AWS::SES::ConfigurationSet').map(({ arn }) => [arn]);
    return domain ? [[`arn:aws:ses:${region}:${account}:identity/${domain}`], ...sets] : [];
  }
  if (service !== 's3') return [];
  const buckets = arnsOf(/^BUCKET_NAME$/);
  return action.startsWith('s3:ListBucket')
    ? buckets.map((arn) => [arn])
    : buckets.map((arn) => prefixes.map((prefix) => `${arn}/${prefix}x`));
}

const ofSources =
  /^(logs:|sqs:(ReceiveMessage|DeleteMessage|ChangeMessageVisibility|GetQueueUrl|GetQueueAttributes)$|dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$)/;

/** What code calls, and what roles allow. */
export const callRules: Rules = {
  'every command that the code sends is known to these rules': ({ definitions }) => [
    ...new Set(definitions.flatMap(({ entry }) => unknownCommandsIn(entry))),
  ],

  'every role may make the calls that the code of its function makes': async (service) => {
    const faults = service.functions.flatMap((each) => {
      const entry = service.definitions.find(({ name }) => name === each.folder)?.entry;
      const needs = entry === undefined ? [] : [...actionsIn(entry).needs];
      return needs.flatMap((action) =>
        targetsOf(service, each, action).map(async (targets) => {
          const context = { 'ses:FromAddress': each.environment['MAIL_FROM'] ?? '' };
          const calls = targets.map((resource) =>
            isAllowed({
              principal: each.properties.Role,
              action,
              resource,
              identity: each.statements,
              ...(action.startsWith('ses:') && { context }),
            }),
          );
          return (await Promise.all(calls)).some(Boolean) ? [] : [`${each.folder} may not ${action} ${targets}`];
        }),
      );
    });
    return (await Promise.all(faults)).flat();
  },

  'no role may do what no code of its function does': ({ functions, definitions }) =>
    functions.flatMap(({ folder, statements }) => {
      const entry = definitions.find(({ name }) => name === folder)?.entry;
      const { mayNeed } = entry === undefined ? { mayNeed: new Set() } : actionsIn(entry);
      const allowed = statements.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action }) => Action);
      return [...new Set(allowed)]
        .filter((action) => !mayNeed.has(action) && !ofSources.test(action))
        .map((action) => `${folder} may ${action}`);
    }),
};
