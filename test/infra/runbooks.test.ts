import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { queueDefinitions } from '../../infra/constructs/queues.ts';
import { tableIndexes } from '../../infra/constructs/table-indexes.ts';
import { indexPartitions } from '../../shared/db/keys.ts';
import { logMessages } from '../../shared/logging/log-messages.ts';
import { stacksAt } from '../support/templates/stacks-at.ts';

const root = join(import.meta.dirname, '..', '..');
const resources = (await stacksAt('staging')).stacks.flatMap(({ template }) => Object.values(template.Resources));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = ['functions', 'infra', 'shared'].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).flatMap((path) => (path.endsWith('.md') ? `${room}/${path}` : [])),
);
/** What stands between the marks of code, in a line or in a block, and begins like this. */
const codeLike = (begin: string) =>
  pages.flatMap((page) => {
    const found = read(page).matchAll(
      new RegExp(`(?:\`\`((?:${begin}).+?)\`\`|(?<!\`)\`((?:${begin})[^\`\n]+)\`|^ *((?:${begin})[^\n#]+))`, 'gm'),
    );
    return [...found].map((match) => (match[1] ?? match[2] ?? match[3] ?? '').trim());
  });

/** Commands of the AWS CLI 2 with their options, as botocore 1.43.11 has them: `!` must be given, `*` is binary. */
const awsCommands = new Map(
  read('test/infra/aws-commands.txt')
    .trim()
    .split('\n')
    .map((line) => [line.split(' ', 2).join(' '), line.split(' ').slice(2)]),
);
const awsOptions = ['query', 'output', 'region', 'cli-binary-format'];
const cdk = createRequire(import.meta.url)(join(root, 'node_modules/aws-cdk/lib/cli/cli-type-registry.json'));

function faultOfCommand(line: string): string | undefined {
  const [tool, first = '', ...words] = (line.replace(/^npx /, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? []) as string[];
  const second = tool === 'aws' ? (words.shift() ?? '') : '';
  const given = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
  if (tool === 'cdk') {
    const options = [...Object.keys(cdk.globalOptions), ...Object.keys(cdk.commands[first]?.options ?? {})];
    return first in cdk.commands ? given.find((option) => !options.includes(option)) : first;
  }
  const known = awsCommands.get(`${first} ${second}`);
  if (!known) return `${first} ${second}`;
  const names = known.map((option) => option.replace(/[!*]/g, ''));
  const isBinary = known.some((option) => option.endsWith('*') && given.includes(option.slice(0, -1)));
  const isOfVersion = !given.includes('function-name') || given.includes('qualifier') || / --function-name \S+:live\b/.test(line);
  return (
    given.find((option) => !names.includes(option) && !awsOptions.includes(option)) ??
    known.find((option) => option.endsWith('!') && !given.includes(option.slice(0, -1))) ??
    (isBinary && !given.includes('cli-binary-format') ? 'cli-binary-format' : undefined) ??
    (isOfVersion ? undefined : 'live') ??
    (known.includes('<outfile>') && !/ [\w.]+\.json$/.test(line) ? 'outfile' : undefined)
  );
}

const field = '(?:@?[A-Za-z_]\\w*(?:\\.\\w+)*|`[^`]+`)';
const text = '"[^"]*"';
const listOf = (item: string) => `${item}(?:, ${item})*`;
const condition = `${field} (?:(?:=|!=|<|>|<=|>=) (?:${text}|\\d+)|like (?:${text}|/[^/]+/)|in \\[${listOf(text)}\\])`;
const measured = `(?:count|max|min|avg|sum|pct|latest|earliest)\\((?:\\*|${field}(?: / \\d+)*(?:, \\d+)?)\\)(?: as \\w+)?`;
const steps = {
  filter: `${condition}(?: (?:and|or) ${condition})*`,
  stats: `${listOf(measured)}(?: by ${listOf(`(?:bin\\(\\d+[smhd]\\)|${field})`)})?`,
  sort: `${field}(?: asc| desc)?`,
  display: listOf(field),
};

/** The step of a query that CloudWatch Logs Insights does not take, or that sorts by what is no longer there. */
function faultOfQuery(query: string): string | undefined {
  let columns: string[] | undefined;
  for (const step of query.split(/ \| (?![^"]*"(?:[^"]*"[^"]*")*[^"]*$)/)) {
    const [name = '', rest = ''] = [/^\w+/.exec(step)?.[0], step.replace(/^\w+ /, '')];
    if (!(name in steps) || !new RegExp(`^${steps[name as keyof typeof steps]}$`).test(rest)) return step;
    if (name === 'stats')
      columns = [...rest.matchAll(/ as (\w+)/g), ...(rest.split(' by ')[1] ?? '').matchAll(new RegExp(`(${field})`, 'g'))].map(
        ([, one = '']) => one,
      );
    if (name === 'sort' && columns && !columns.includes(rest.replace(/ (asc|desc)$/, ''))) return step;
  }
  return undefined;
}

const runbooks = pages.filter((page) => page.startsWith('infra/alarms/runbooks/'));
const descriptions = resources.flatMap(({ Type, Properties: { AlarmName = '', AlarmDescription, AlarmActions } = {} }) =>
  Type === 'AWS::CloudWatch::Alarm' && AlarmActions ? [{ name: AlarmName.split('-').slice(4).join('-'), text: AlarmDescription }] : [],
);

test('every alarm that notifies somebody leads to a runbook of its own, and no runbook is of another', () => {
  const headings = runbooks.flatMap((page) =>
    [...read(page).matchAll(/^## (\S+)$/gm)].map(([, heading = '']) => `${heading}: ${page}#${heading.toLowerCase()}`),
  );
  const links = descriptions.map(({ name, text }) => `${name}: ${/ Runbook: (\S+)$/.exec(text)?.[1]}`);
  expect(links.sort()).toEqual(headings.sort());
});

test('alarms and their runbooks name log messages and queues that exist', () => {
  const inTexts = descriptions.flatMap(({ text }) => text.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []);
  const inRunbooks = runbooks.flatMap((page) =>
    [...read(page).matchAll(/message (?:= |in \[)((?:"\w+"(?:, )?)+)/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []),
  );
  expect([inTexts.length > 8, inRunbooks.length > 8]).toEqual([true, true]);
  expect(logMessages).toEqual(expect.arrayContaining([...inTexts, ...inRunbooks]));
  const emptied = runbooks.flatMap((page) => [...read(page).matchAll(/ops -- empty (\w+)/g)].map(([, queue]) => queue));
  expect(Object.values(queueDefinitions).map(({ id }) => id)).toEqual(expect.arrayContaining(emptied));
});

test('the runbook of the table has all indexes, and the beginnings of their keys', () => {
  const page = read('infra/alarms/runbooks/table.md');
  const [, listed = ''] = /the table and of its indexes ([^:]+): which/.exec(page) ?? [];
  const names = tableIndexes.map(({ indexName }) => indexName);
  expect(listed.match(/\w+(?=`)/g)).toEqual(names);
  for (const name of names) expect(page).toContain(`\`${indexPartitions[name]}`);
});

test('every command of the AWS CLI and of the CDK in a page is one that they take', () => {
  const commands = codeLike('aws [a-z]|npx cdk ');
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter((command) => faultOfCommand(command) !== undefined)).toEqual([]);
});

test.each([
  ['aws lambda invoke --function-name <sweeper> --qualifier live --payload {} out.json', 'cli-binary-format'],
  ['aws lambda invoke --function-name <sweeper> out.json', 'live'],
  ['aws lambda invoke --function-name <sweeper> --qualifier live', 'outfile'],
  ['aws events enable-rule --rule x', 'rule'],
  ['aws sns subscribe --topic-arn x', 'protocol!'],
  ['aws lambda run', 'lambda run'],
  ['npx cdk deploy --revert', 'revert'],
])('otherwise it is told: %s', (command, fault) => expect(faultOfCommand(command)).toBe(fault));

test('every query of logs in a page is one that Logs Insights takes, on fields that the edge writes', () => {
  const queries = codeLike('(?:filter|stats|display|fields|sort) \\S+[ (]');
  expect(queries.length).toBeGreaterThan(25);
  expect(queries.filter((query) => faultOfQuery(query) !== undefined)).toEqual([]);
  const written = resources.find(({ Type }) => Type === 'AWS::Logs::Delivery')?.Properties.RecordFields;
  const quoted = queries.flatMap((query) => [...query.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(written).toEqual(expect.arrayContaining(quoted));
  expect(quoted.length).toBeGreaterThan(1);
});

test.each([
  'stats count(*) by c-ip',
  'stats count(*) by `c-ip` | sort count desc',
  'stats count(*) by code | sort by count(*) desc',
  'stats count(*) as n by code | sort n descending',
  'filter status = x',
  'find status = 5',
])('otherwise it is told: %s', (query) => expect(faultOfQuery(query)).toBeDefined());
