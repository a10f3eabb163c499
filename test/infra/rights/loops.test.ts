import { describe, expect, jest, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(60_000);

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);
/** The logical ids of functions, roles and queues that a value of the template leads to, as far as the template says. */
const references = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)].map(([, id = '']) => id);

/** By function: the queues it is fed from, and those it may send to, each as the text that names it. */
function queuesOf(template: Template) {
  const resources = (type: string) => Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties] as const);
  const aliases = new Map(resources('AWS::Lambda::Alias').map(([id, { FunctionName }]) => [id, references(FunctionName)[0]]));
  const mappings = resources('AWS::Lambda::EventSourceMapping').map(([, { EventSourceArn, FunctionName }]) => {
    const [target = ''] = references(FunctionName);
    return { fed: aliases.get(target) ?? target, source: JSON.stringify(EventSourceArn) };
  });
  const sends = resources('AWS::IAM::Policy').flatMap(([, { Roles, PolicyDocument }]) =>
    PolicyDocument.Statement.filter(({ Action }: any) => list(Action).includes('sqs:SendMessage')).map(({ Resource }: any) => ({
      role: references(Roles)[0],
      queues: list(Resource).map((resource) => JSON.stringify(resource)),
    })),
  );
  return resources('AWS::Lambda::Function').map(([id, { Description, Role, RecursiveLoop }]) => ({
    name: String(Description).replace('license-service ', ''),
    loop: RecursiveLoop,
    from: mappings.filter(({ fed }) => fed === id).map(({ source }) => source),
    to: sends.filter(({ role }) => role === references(Role)[0]).flatMap(({ queues }) => queues),
  }));
}

type Worker = ReturnType<typeof queuesOf>[number];

/** Whether what the worker sends can come back to it, on whatever way. */
function isInLoop(worker: Worker, workers: readonly Worker[]): boolean {
  const reached = new Set<Worker>();
  const follow = ({ to }: Worker) => {
    for (const next of workers.filter(({ from }) => from.some((queue) => to.includes(queue)))) {
      if (reached.has(next)) continue;
      reached.add(next);
      follow(next);
    }
  };
  follow(worker);
  return reached.has(worker);
}

describe.each(['staging', 'production'])('at %s', (stage) => {
  test('every function that a message can come back to may run more than 16 times for it, and no other', async () => {
    const { workers, api } = (await synthesizeAt(stage)).templates;
    const all = [...queuesOf(workers), ...queuesOf(api)];
    const inLoop = all.filter((worker) => isInLoop(worker, all)).map(({ name }) => name);
    expect(inLoop).toEqual(expect.arrayContaining(['event-projector', 'mail-sender', 'file-scanner', 'event-sender']));
    expect(all.filter(({ loop }) => loop === 'Allow').map(({ name }) => name)).toEqual(inLoop);
  });
});
