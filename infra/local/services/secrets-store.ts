import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import type { Operation } from '../access/call.ts';
import type { Guard } from '../access/guard.ts';
import type { Engine } from '../engines/engine.ts';
import type { LocalSettings } from '../local-settings.ts';
import type { SynthesizedApp } from '../template.ts';
import { sendError, sendJson, startJsonService } from './json-service.ts';

const Asked = z.object({ SecretId: z.string() });
const GetInput = z.strictObject({ SecretId: z.string(), VersionId: z.optional(z.string()), VersionStage: z.optional(z.string()) });
const DescribeInput = z.strictObject({ SecretId: z.string() });
const PutInput = z.strictObject({
  SecretId: z.string(),
  SecretString: z.string().check(z.minLength(1), z.maxLength(65_536)),
  ClientRequestToken: z.string().check(z.minLength(32), z.maxLength(64)),
});
const SecretProperties = z.object({ Name: z.string() });

/** One secret of the templates, which is named for a setting. */
interface LocalSecret {
  arn: string;
  name: string;
  setting: string;
  /** Every value it had here, by the id of its version; the last is the current one. */
  versions: Map<string, string>;
  changedAt: Date;
}

/**
 * Holds the secrets of the templates: GetSecretValue, DescribeSecret and PutSecretValue, each for who may. A secret
 * has the value of its setting: what the operator gave at the start, or put since, or what is made for this machine.
 */
export function startSecretsStore(app: SynthesizedApp, settings: LocalSettings, guard: Guard): Promise<Engine> {
  const secrets = app.ofType('AWS::SecretsManager::Secret').map((resource): LocalSecret => {
    const { Name } = app.read(resource, SecretProperties);
    const setting = Name.slice(Name.lastIndexOf('/') + 1);
    const versions = firstVersions(settings.valueOf(setting));
    // Every reader has this value, so no one needs to wait for it to propagate.
    return { arn: app.madeOf(resource).ref, name: Name, setting, versions, changedAt: new Date(0) };
  });
  const find = (id: string) => secrets.find(({ arn, name }) => id === arn || id === name);
  const idIn = ({ input }: Operation) => z.parse(Asked, input).SecretId;

  const operations: Record<string, (secret: LocalSecret, input: unknown, response: ServerResponse) => void> = {
    GetSecretValue: (secret, input, response) => {
      const { VersionId = currentOf(secret), VersionStage } = z.parse(GetInput, input);
      const VersionStages = stagesOf(secret)[VersionId] ?? [];
      const SecretString = secret.versions.get(VersionId);
      if (SecretString === undefined || (VersionStage !== undefined && !VersionStages.includes(VersionStage))) {
        return notFound(response, 'secret value');
      }
      sendJson(response, 200, { ARN: secret.arn, Name: secret.name, VersionId, VersionStages, SecretString });
    },
    DescribeSecret: (secret, input, response) => {
      z.parse(DescribeInput, input);
      const LastChangedDate = secret.changedAt.getTime() / 1000;
      sendJson(response, 200, { ARN: secret.arn, Name: secret.name, LastChangedDate, VersionIdsToStages: stagesOf(secret) });
    },
    PutSecretValue: (secret, input, response) => {
      const { SecretString, ClientRequestToken: VersionId } = z.parse(PutInput, input);
      const known = secret.versions.get(VersionId);
      if (known !== undefined && known !== SecretString) {
        return sendError(response, 'ResourceExistsException', 'The version exists already, with another value.');
      }
      if (known === undefined) {
        settings.put(secret.setting, SecretString);
        secret.versions.set(VersionId, SecretString);
        secret.changedAt = new Date();
      }
      sendJson(response, 200, { ARN: secret.arn, Name: secret.name, VersionId, VersionStages: stagesOf(secret)[VersionId] ?? [] });
    },
  };

  return startJsonService(
    {
      service: 'secretsmanager',
      deniedStatus: 400,
      callsOf: (operation) => [{ action: `secretsmanager:${operation.name}`, resource: find(idIn(operation))?.arn ?? idIn(operation) }],
      answer: (operation, _message, _body, response) => {
        const secret = find(idIn(operation));
        const run = operations[operation.name];
        if (!run) sendError(response, 'UnknownOperationException', 'This operation is not there locally.');
        else if (!secret) notFound(response, 'secret');
        else run(secret, operation.input, response);
      },
    },
    guard,
  );
}

/** One that is set has had a value before, as in the cloud, where each is made with one that nobody knows. */
const firstVersions = (value: string) => new Map([...(value === '' ? [] : [[randomUUID(), ''] as const]), [randomUUID(), value] as const]);

const currentOf = ({ versions }: LocalSecret): string => [...versions.keys()].at(-1) ?? '';

function stagesOf({ versions }: LocalSecret): Record<string, string[]> {
  const [current, previous] = [...versions.keys()].reverse();
  return { ...(current !== undefined && { [current]: ['AWSCURRENT'] }), ...(previous !== undefined && { [previous]: ['AWSPREVIOUS'] }) };
}

const notFound = (response: ServerResponse, what: string) =>
  sendError(response, 'ResourceNotFoundException', `Secrets Manager can't find the specified ${what}.`);
