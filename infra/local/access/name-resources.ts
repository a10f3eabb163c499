import * as z from 'zod/mini';
import { account, type MadeResource, region } from '../references.ts';
import { localName, type Resource, type SynthesizedApp } from '../template.ts';

const arnOf = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;

/** The ARN of a function, of which a template names either that or the name. */
export const functionArn = (name: string): string => (name.startsWith('arn:') ? name : arnOf('lambda', `function:${name}`));

/** How the gateway names itself in events, and in front of the routes that it calls functions for. */
export const gatewayId = 'local';

const withArn = (ref: string, Arn: string): MadeResource => ({ ref, attributes: { Arn } });

/** What `Ref` and `Arn` are of the resources that have no engine here, yet are named in policies. */
const makers: Readonly<Record<string, (name: string, resource: Resource, sender: string) => MadeResource>> = {
  'AWS::ApiGatewayV2::Api': () => ({ ref: gatewayId, attributes: { ApiId: gatewayId } }),
  'AWS::CloudWatch::Alarm': (name) => withArn(name, arnOf('cloudwatch', `alarm:${name}`)),
  'AWS::Events::Rule': (name) => withArn(name, arnOf('events', `rule/${name}`)),
  'AWS::IAM::Role': (name) => withArn(name, `arn:aws:iam::${account}:role/${name}`),
  'AWS::Lambda::Function': (name) => withArn(name, functionArn(name)),
  'AWS::Lambda::Version': (name) => ({ ref: name, attributes: { Version: '1' } }),
  'AWS::Logs::LogGroup': (name) => withArn(name, `${arnOf('logs', `log-group:${name}`)}:*`),
  'AWS::SES::ConfigurationSet': (name) => ({ ref: name, attributes: {} }),
  // Empty is what the local stack fills in, as with settings.
  'AWS::SES::EmailIdentity': (_, { properties }, sender) => ({
    ref: z.parse(z._default(z.string(), ''), properties['EmailIdentity']) || sender.slice(sender.lastIndexOf('@') + 1),
    attributes: {},
  }),
  'AWS::SNS::Topic': (name) => ({ ref: arnOf('sns', name), attributes: { TopicArn: arnOf('sns', name), TopicName: name } }),
  'AWS::SecretsManager::Secret': (name, { properties }) => {
    const given = z.parse(z._default(z.string(), name), properties['Name']);
    const arn = arnOf('secretsmanager', `secret:${given}-local0`);
    return { ref: arn, attributes: { Id: arn } };
  },
};

/** Names what no engine makes, so that references to it resolve. `sender` is the address mail is sent from. */
export function nameResources(app: SynthesizedApp, sender: string): void {
  for (const [type, make] of Object.entries(makers)) {
    for (const resource of app.ofType(type)) app.setMade(resource, make(localName(resource), resource, sender));
  }
  for (const resource of app.ofType('AWS::Lambda::Alias')) {
    const { FunctionName, Name } = app.read(resource, AliasProperties);
    app.setMade(resource, { ref: `${functionArn(FunctionName)}:${Name}`, attributes: {} });
  }
}

/** An alias is another ARN of its function, of which there is one version here. */
const AliasProperties = z.object({ FunctionName: z.string(), Name: z.string() });
