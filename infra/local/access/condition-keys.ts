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
  's3:prefix',
  's3:VersionId',
  'ses:FromAddress',
  'ses:Recipients',
] as const;

const known = new RegExp(`^(${suppliedKeys.map((key) => key.replace('/*', '/.+')).join('|')})$`, 'i');

const operators =
  /^(Null|(For(AllValues|AnyValue):)?(String(Not)?(Equals(IgnoreCase)?|Like)|(Numeric|Date)(Not)?Equals|(Numeric|Date)(Less|Greater)Than(Equals)?|Bool|BinaryEquals|(Not)?IpAddress|Arn(Not)?(Equals|Like))(IfExists)?)$/;

/** The operators, condition keys and variables of a policy document that no request here can be judged by. */
export function unknownInConditions(document: { Statement: readonly Record<string, unknown>[] }): string[] {
  const conditions = document.Statement.flatMap(({ Condition }) => Object.entries(Object(Condition)));
  const unknownOperators = conditions.map(([operator]) => operator).filter((operator) => !operators.test(operator));
  const keys = conditions.flatMap(([, operands]) => Object.keys(Object(operands)));
  const variables = [...JSON.stringify(document).matchAll(/\$\{([^}*?$][^},]*)/g)].map(([, name = '']) => name.trim());
  return [...unknownOperators, ...[...keys, ...variables].filter((key) => !known.test(key))];
}
