import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { queueDefinitions } from '../../infra/constructs/queues.ts';
import { logMessages } from '../../shared/logging/log-messages.ts';
import { productionTemplates, standingBill } from '../bench/cost/standing.ts';
import { readService, type Service } from '../support/templates/service.ts';
import { stacksAt } from '../support/templates/stacks-at.ts';

jest.setTimeout(60_000);
const root = join(import.meta.dirname, '..', '..');

const runbooks = readdirSync(join(root, 'infra/alarms/runbooks')).map((name) => {
  const page = `infra/alarms/runbooks/${name}`;
  return { page, text: readFileSync(join(root, page), 'utf8') };
});

describe('alarms', () => {
  let service: Service;
  beforeAll(async () => {
    service = readService(await stacksAt('staging'));
  });
  const propertiesOf = (type: string) => service.ofType(type).map(({ properties }) => properties);
  const telling = () => propertiesOf('AWS::CloudWatch::Alarm').filter(({ AlarmActions = [] }) => AlarmActions.length > 0);

  test('lead each to a runbook of its own, and no runbook is of an alarm that is not there', () => {
    const headings = runbooks.flatMap(({ page, text }) =>
      [...text.matchAll(/^## (\S+)$/gm)].map(([, heading = '']) => ({ page, heading })),
    );
    const links = telling().map(({ AlarmName, AlarmDescription }) => [
      AlarmName.replace(/^license-service-staging-(operations|edge)-/, ''),
      / Runbook: (\S+)$/.exec(AlarmDescription)?.[1],
    ]);
    expect(Object.fromEntries(links)).toEqual(
      Object.fromEntries(headings.map(({ page, heading }) => [heading, `${page}#${heading.toLowerCase()}`])),
    );
    expect(headings).toHaveLength(links.length);
  });

  test('go off beyond their threshold, not at it', () => {
    for (const alarm of propertiesOf('AWS::CloudWatch::Alarm')) expect(alarm.ComparisonOperator).toMatch(/(Greater|Less)ThanThreshold$/);
  });

  test('and their runbooks name log messages and queues that exist', () => {
    const inTexts = telling().flatMap(({ AlarmDescription }) => AlarmDescription.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []);
    const inRunbooks = runbooks.flatMap(({ text }) =>
      [...text.matchAll(/message (?:= |in \[)((?:"\w+"(?:, )?)+)/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []),
    );
    expect([inTexts.length > 8, inRunbooks.length > 8]).toEqual([true, true]);
    for (const message of [...inTexts, ...inRunbooks]) expect(logMessages).toContain(message);
    const emptied = runbooks.flatMap(({ text }) => [...text.matchAll(/ops -- empty (\w+)/g)].map(([, queue]) => `${queue}`));
    const queues = Object.keys(queueDefinitions).map((setting) => setting.replace('_QUEUE_URL', '').toLowerCase());
    for (const queue of emptied) expect(queues).toContain(queue.toLowerCase());
  });

  test('see the lines of every function that may write them', () => {
    const filters = propertiesOf('AWS::Logs::MetricFilter');
    const counted = (message: string) => {
      const logs = filters.filter(({ FilterPattern }) => FilterPattern.includes(`"${message}"`)).map(({ LogGroupName }) => LogGroupName);
      return service.functions.filter(({ properties }) => logs.includes(properties.LoggingConfig.LogGroup)).map(({ folder }) => folder);
    };
    const isFed = new Set(
      propertiesOf('AWS::Lambda::EventSourceMapping').map(({ FunctionName }) => service.functionAt(FunctionName)?.folder),
    );
    const workers = service.functions.map(({ folder }) => folder).filter((folder) => isFed.has(folder));
    const answering = service.definitions.flatMap(({ name, routes }) => (routes.length > 0 ? [name] : []));
    expect(counted('job_dead').sort()).toEqual(workers.toSorted());
    expect(counted('job_postponed').sort()).toEqual(workers.toSorted());
    expect(counted('request_refused').sort()).toEqual(answering.toSorted());
  });

  test('cost what the page on Day 0 says, with the metrics they count and the secrets', async () => {
    const bill = standingBill(await productionTemplates());
    const { secrets, 'metrics that alarms watch': watched, 'custom metrics': counted, 'secret reads': reads } = bill;
    const perFunction = {
      Resources: { A: { Type: 'AWS::Lambda::Function', Properties: { Environment: { Variables: { TOKEN_KEYS: 'x' } } } } },
    };
    expect(standingBill([perFunction])['secret reads']).toEqual({ count: 8640, dollars: expect.closeTo(0.0432, 6) });
    const total = Object.values(bill).reduce((sum, { dollars }) => sum + dollars, 0);
    expect(readFileSync(join(root, 'infra/day-0.md'), 'utf8')).toContain(
      `at most $${total.toFixed(2)} a month for being there (${secrets?.count} secrets, $${reads?.dollars.toFixed(2)} for one instance of each function that reads them, ${watched?.count} metrics with alarms, ${counted?.count} of our own)`,
    );
  });

  test('watch whatever is counted of lines', () => {
    const namesIn = (parts: any[]) => parts.flatMap(({ MetricName }) => MetricName ?? []);
    const alarms = propertiesOf('AWS::CloudWatch::Alarm');
    const watched = alarms.flatMap(({ MetricName, Metrics = [] }) => [
      MetricName,
      ...namesIn(Metrics.flatMap((part: any) => part.MetricStat?.Metric ?? [])),
    ]);
    const counted = namesIn(propertiesOf('AWS::Logs::MetricFilter').flatMap(({ MetricTransformations }) => MetricTransformations));
    expect([...new Set(counted)].filter((name) => !watched.includes(name))).toEqual([]);
  });

  test('on throttles see all operations that the table is asked for', () => {
    const sent = [...readFileSync(join(root, 'shared/db/dynamo/signed-dynamo.ts'), 'utf8').matchAll(/send\('(\w+)'/g)].map(
      ([, name]) => name,
    );
    const dimensions = telling().flatMap(({ Metrics = [] }) => Metrics.flatMap((part: any) => part.MetricStat?.Metric.Dimensions ?? []));
    const watched = dimensions.flatMap(({ Name, Value }: { Name: string; Value: string }) => (Name === 'Operation' ? [Value] : []));
    expect(watched.toSorted()).toEqual(sent.toSorted());
  });

  test('on mails that are put off see each of them in every period', () => {
    const putOff = propertiesOf('AWS::CloudWatch::Alarm').filter(({ MetricName }) => MetricName?.endsWith('-throttled-mails'));
    expect(putOff.map(({ Period, EvaluationPeriods }) => [Period, EvaluationPeriods])).toEqual([[1800, 2]]);
  });

  test('wait for sweeps, which come every five minutes and take no job from a worker that runs', () => {
    const [{ ScheduleExpression, Targets }] = propertiesOf('AWS::Events::Rule').filter((rule) => rule.ScheduleExpression);
    expect([ScheduleExpression, JSON.parse(Targets[0].Input)]).toEqual(['rate(5 minutes)', {}]);
  });
});
