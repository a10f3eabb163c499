import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const texts = new Map<string, string>();
const textOf = (file: string) => texts.get(file) ?? texts.set(file, readFileSync(file, 'utf8')).get(file) ?? '';

/** A file, and all that it loads of the project. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const imports = textOf(file).matchAll(/^(?:import|export)(?! type)\s[^'";]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gm);
  for (const [, name, later] of imports) loadedBy(join(dirname(file), name ?? later ?? ''), seen);
  return seen;
}

/** A call to AWS: what code makes it, which actions that takes, and which more it may take. */
interface SourceCall {
  /** The command of the SDK where one function sends it alone, else how the client of the project is asked for it. */
  code: RegExp;
  needs: readonly string[];
  mayNeed?: readonly string[];
}

/** Where commands of the SDK are sent for several purposes; of these, who asks the client counts. */
const clients = /shared\/(db\/(table|sdk-dynamo|signed-dynamo)|product-files\/object-store)\.ts$/;

const sourceCalls: readonly SourceCall[] = [
  { code: /new SendMessageCommand\(/, needs: ['sqs:SendMessage'] },
  { code: /new GetQueueAttributesCommand\(/, needs: ['sqs:GetQueueAttributes'] },
  { code: /new HeadBucketCommand\(/, needs: ['s3:ListBucket'] },
  { code: /new SendEmailCommand\(/, needs: ['ses:SendEmail'] },
  { code: /send\('GetSecretValue'/, needs: ['secretsmanager:GetSecretValue'] },
  { code: /send\('DescribeSecret'/, needs: ['secretsmanager:DescribeSecret'] },
  { code: /new GetAccountCommand\(/, needs: ['ses:GetAccount'] },
  { code: /new SendObjectMalwareScanCommand\(/, needs: ['guardduty:SendObjectMalwareScan'] },
  { code: /\.presignUpload\(/, needs: ['s3:PutObject'] },
  { code: /\.presignDownload\(/, needs: ['s3:GetObjectVersion'], mayNeed: ['s3:GetObject'] },
  // Without the right to list, the store says that an object is forbidden when it is missing.
  { code: /\.findObject\(/, needs: ['s3:GetObject', 's3:ListBucket'], mayNeed: ['s3:GetObjectVersion'] },
  { code: /\.openObject\(/, needs: ['s3:GetObjectVersion'], mayNeed: ['s3:GetObject', 's3:ListBucket'] },
  { code: /\.putObject\(/, needs: ['s3:PutObject'] },
  { code: /\.deleteVersions\(/, needs: ['s3:ListBucketVersions', 's3:DeleteObjectVersion'] },
  { code: /\.get\(/, needs: [], mayNeed: ['dynamodb:GetItem'] },
  { code: /\.batchGet\(/, needs: [], mayNeed: ['dynamodb:BatchGetItem'] },
  { code: /\.(query|count)\(/, needs: [], mayNeed: ['dynamodb:Query'] },
  { code: /\bput: /, needs: [], mayNeed: ['dynamodb:PutItem'] },
  { code: /\bupdate: /, needs: [], mayNeed: ['dynamodb:UpdateItem'] },
  { code: /\bdelete: /, needs: [], mayNeed: ['dynamodb:DeleteItem'] },
  { code: /\bcheck: /, needs: [], mayNeed: ['dynamodb:ConditionCheckItem'] },
];

/** What the clients send themselves. */
const ofClients =
  /^((Put|Get|BatchGet|Update|Delete)Item|TransactWriteItems|PutObject|GetObject|HeadObject|ListObjectVersions|DeleteObject|Get|BatchGet|Query|Put|Update|Delete|TransactWrite)$/;

/** Commands of the SDK and signed requests in a function's code of which nothing is known here. */
export function unknownCommandsIn(entry: string): string[] {
  const commands = [...loadedBy(entry)].flatMap((file) => [...textOf(file).matchAll(/new (\w+)Command\(|\bsend\('(\w+)'/g)]);
  const isKnown = ([text, sdk = '', signed = sdk]: RegExpExecArray) =>
    ofClients.test(signed) || sourceCalls.some(({ code }) => code.test(text));
  return commands.filter((command) => !isKnown(command)).map(([text]) => text);
}

/** The actions that a function's code takes, and those that it may take. */
export function actionsIn(entry: string): { needs: Set<string>; mayNeed: Set<string> } {
  const files = [...loadedBy(entry)].filter((file) => !clients.test(file));
  const made = sourceCalls.filter(({ code }) => files.some((file) => code.test(textOf(file))));
  const needs = new Set(made.flatMap((call) => call.needs));
  return { needs, mayNeed: new Set([...needs, ...made.flatMap((call) => call.mayNeed ?? [])]) };
}
