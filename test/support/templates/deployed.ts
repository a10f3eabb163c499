import type { Json } from './identifiers.ts';
import type { Resource, Service } from './service.ts';

/** What of a deployed service an update may neither lose nor make a second time: a line each, `part kind id what`. */
export function deployedOf({ resources, stacks, ofType }: Service): string[] {
  const line = (stack: string, kind: string, id: string, what: string) => `${partOf(stack)} ${kind} ${id} ${what}`.trimEnd();
  const exported = stacks.flatMap(({ name, template }) =>
    Object.values(template.Outputs ?? {}).flatMap(({ Export }) =>
      Export ? [line(name, 'export', Export.Name.replace(/^license-service-[a-z]+-[a-z]+[:-]/, ''), '')] : [],
    ),
  );
  const indexes = ofType('AWS::DynamoDB::GlobalTable').flatMap(({ stack, properties: { GlobalSecondaryIndexes } }) =>
    GlobalSecondaryIndexes.map((index: Json) => line(stack, 'index', index.IndexName, JSON.stringify([index.KeySchema, index.Projection]))),
  );
  const throttles = ofType('AWS::ApiGatewayV2::Stage').flatMap(({ stack, id, properties: { RouteSettings = {} } }) =>
    Object.keys(RouteSettings).map((routeKey) => line(stack, 'throttle', id, routeKey)),
  );
  const named = resources.map(({ stack, id, type, deletionPolicy, ...resource }) => {
    const name = uniqueNameOf({ stack, id, type, ...resource });
    const kind = /^Retain/.test(deletionPolicy ?? '') ? `kept:${type}` : type;
    return name !== '' || kind !== type ? line(stack, kind, id, name) : '';
  });
  return [...exported, ...indexes, ...throttles, ...named.filter((each) => each !== '')].sort();
}

const partOf = (stack: string) => stack.replace(/^.*-/, '');

/** The name of which there can be no second, without the stage; empty where CloudFormation makes one up. */
function uniqueNameOf({ stack, id, type, name, properties }: Pick<Resource, 'stack' | 'id' | 'type' | 'name' | 'properties'>): string {
  const own: Readonly<Record<string, string>> = {
    'AWS::ApiGatewayV2::Route': properties.RouteKey,
    'AWS::Cognito::UserPoolDomain': properties.Domain,
    'AWS::Route53::RecordSet': `${properties.Name} ${properties.Type}`,
  };
  const given = own[type] ?? (name === `${stack}-${id}` ? '' : name);
  return given.replaceAll(/\b(production|staging)\b/g, '<stage>');
}
