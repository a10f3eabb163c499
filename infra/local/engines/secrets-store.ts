import * as z from 'zod/mini';
import type { Operation } from '../access/call.ts';
import type { Guard } from '../access/guard.ts';

import type { SynthesizedApp } from '../template.ts';
import type { Engine } from './engine.ts';
import { sendError, sendJson, startJsonService } from './json-service.ts';

const GetSecretValue = z.object({ SecretId: z.string() });
const SecretProperties = z.object({ Name: z.string() });

/**
 * Answers GetSecretValue with the secrets of the templates. Each is named for a setting, whose value it has: what the
 * operator gave, or what is made for this machine.
 */
export function startSecretsStore(app: SynthesizedApp, settingOf: (name: string) => string, guard: Guard): Promise<Engine> {
  const secrets = app.ofType('AWS::SecretsManager::Secret').map((resource) => {
    const { Name } = app.read(resource, SecretProperties);
    return { arn: app.madeOf(resource).ref, name: Name };
  });
  const find = (id: string) => secrets.find(({ arn, name }) => id === arn || id === name);
  const idIn = ({ input }: Operation) => z.parse(GetSecretValue, input).SecretId;

  return startJsonService(
    {
      service: 'secretsmanager',
      deniedStatus: 400,
      callsOf: (operation) => [{ action: `secretsmanager:${operation.name}`, resource: find(idIn(operation))?.arn ?? idIn(operation) }],
      answer: (operation, _message, _body, response) => {
        const secret = find(idIn(operation));
        if (operation.name !== 'GetSecretValue') sendError(response, 'UnknownOperationException', 'Only values can be read here.');
        else if (!secret) sendError(response, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
        else sendJson(response, 200, { ARN: secret.arn, Name: secret.name, SecretString: settingOf(nameOfSetting(secret.name)) });
      },
    },
    guard,
  );
}

const nameOfSetting = (name: string) => name.slice(name.lastIndexOf('/') + 1);
