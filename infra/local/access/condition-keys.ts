import { isOperator } from './policy-evaluation.ts';

/** What a request tells of itself here; `*` is the rest of a key that has a name of its own in it. */
const suppliedKeys = [
  'aws:PrincipalAccount',
  'aws:PrincipalArn',
  'aws:PrincipalIsAWSService',
  'aws:PrincipalServiceName',
  'aws:RequestedRegion',
  'aws:ResourceAccount',
  'aws:SecureTransport',
  'aws:SourceAccount',
  'aws:SourceArn',
  'dynamodb:EnclosingOperation',
  'dynamodb:LeadingKeys',
  'dynamodb:Select',
  's3:authType',
  's3:ExistingObjectTag/*',
  's3:if-none-match',
  's3:ObjectCreationOperation',
  's3:prefix',
  's3:VersionId',
  'ses:FromAddress',
  'ses:Recipients',
] as const;

const known = new RegExp(`^(${suppliedKeys.map((key) => key.replace('/*', '/.+')).join('|')})$`, 'i');

/** Those with several values, of which an operator must say whether it is about all or any of them. */
const listedKeys = /^(dynamodb:LeadingKeys|ses:Recipients)$/i;
const isAboutLists = /^(Null$|ForAllValues:|ForAnyValue:)/;

/** The operators, condition keys and variables of a policy document that no request here can be judged by. */
export function unknownInConditions(document: { Statement: readonly Record<string, unknown>[] }): string[] {
  const conditions = document.Statement.flatMap(({ Condition }) => Object.entries(Object(Condition)));
  const inConditions = conditions.flatMap(([operator, operands]) => {
    const keys = Object.keys(Object(operands));
    const isUnknown = (key: string) => !known.test(key) || (listedKeys.test(key) && !isAboutLists.test(operator));
    return [...(isOperator(operator) ? [] : [operator]), ...keys.filter(isUnknown)];
  });
  const variables = [...JSON.stringify(document).matchAll(/\$\{([^},]*)/g)].map(([, name = '']) => name.trim());
  return [...inConditions, ...variables];
}
