import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployedOf } from '../deployed.ts';
import { change, type Plant, type Rules, set } from '../mistake.ts';
import type { Service } from '../service.ts';

const api = 'AWS::ApiGatewayV2::Route';
const stage = 'AWS::ApiGatewayV2::Stage';
const table = 'AWS::DynamoDB::GlobalTable';

/** Of the last release, with everything on. Made by `npm run record-release`. */
export const lastRelease: readonly string[] = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'infra', 'releases', 'last-release.txt'),
  'utf8',
)
  .trim()
  .split('\n');

interface Line {
  part: string;
  kind: string;
  id: string;
  what: string;
}
const linesOf = (lines: readonly string[]): Line[] =>
  lines.map((line) => {
    const [part = '', kind = '', id = '', ...what] = line.split(' ');
    return { part, kind, id, what: what.join(' ') };
  });
const before = linesOf(lastRelease);
const typeOf = ({ kind }: Line) => kind.replace('kept:', '');
const isSame = (one: Line, other: Line) => one.part === other.part && typeOf(one) === typeOf(other) && one.id === other.id;
const now = (service: Service) => linesOf(deployedOf(service));
const idsOf = (lines: readonly Line[]) => lines.map(({ kind, id, what }) => `${kind} ${id} ${what}`);

/** A logical id or export is called otherwise, wherever it is referred to. */
const renamed =
  (from: string, to: string): Plant =>
  (stacks) => {
    for (const stack of stacks) stack.template = JSON.parse(JSON.stringify(stack.template).replaceAll(from, to));
  };

/** What CloudFormation, or a service behind it, refuses or loses at an update of what the last release deployed. */
export const updatingRules: Rules = {
  'nothing is made under a name that another resource of the last release has: the new one is made before the old one goes': {
    faults: (service) =>
      idsOf(
        now(service).filter(
          (line) => line.what !== '' && before.some((old) => typeOf(old) === typeOf(line) && old.what === line.what && !isSame(old, line)),
        ),
      ),
    mistakes: { 'a route is another resource': renamed('ApiOPTIONSv1sellersme', 'RouteAnew') },
  },

  'what outlives its stack is still the same resource, or an empty one would take its place': {
    faults: (service) => idsOf(before.filter((old) => old.kind.startsWith('kept:') && !now(service).some((line) => isSame(line, old)))),
    mistakes: { 'the table is another resource': renamed('TableCD117FA1', 'TableAnew') },
  },

  'the table gets or loses one index at most, and none is changed: that is one of each': {
    faults: (service) => {
      const [old, made] = [before, now(service)].map((lines) => idsOf(lines.filter(({ kind }) => kind === 'index')));
      const differing = [...(old ?? []).filter((each) => !made?.includes(each)), ...(made ?? []).filter((each) => !old?.includes(each))];
      return differing.length > 1 ? differing : [];
    },
    mistakes: {
      'an index holds something else': change(table, /./, ({ GlobalSecondaryIndexes: [index] }) => {
        index.Projection = { ProjectionType: 'KEYS_ONLY' };
      }),
      'two indexes go at once': change(table, /./, ({ GlobalSecondaryIndexes }) => GlobalSecondaryIndexes.splice(0, 2)),
    },
  },

  'every export of the last release is there, which a stack imports that is deployed later': {
    faults: (service) => {
      const exported = idsOf(now(service).filter(({ kind }) => kind === 'export'));
      return idsOf(before.filter(({ kind }) => kind === 'export')).filter((each) => !exported.includes(each));
    },
    mistakes: { 'an export is called otherwise': renamed('ExportsOutputFnGetAttTableCD117FA1Arn', 'TableArn') },
  },

  // The gateway keeps the settings of a route when the template has them no more, and when the route is gone refuses every change.
  'no route has settings of its own at the gateway, and those to which the last release gave some are there': {
    faults: (service) => {
      const routes = service.ofType(api).map(({ properties }) => properties.RouteKey);
      const gone = before.filter(({ kind, what }) => kind === 'throttle' && !routes.includes(what));
      return idsOf([...now(service).filter(({ kind }) => kind === 'throttle'), ...gone]);
    },
    mistakes: {
      'a route has a throttle of its own': set(stage, /./, 'RouteSettings', { 'ANY /v1/sellers/me': { ThrottlingRateLimit: 1 } }),
      'a route is called otherwise, whose settings are still there': set(api, /licensesvalidate/, 'RouteKey', 'POST /v1/licenses/validate'),
    },
  },
};
