import type { Json } from '../json.ts';
import type { Rules } from '../rule.ts';
import type { Service } from '../service.ts';

/** While one of these fails, apps do not start, or buyers cannot pay or get what they paid for. */
const tried = ['licenses', 'pages', 'payment-webhooks', 'purchases', 'storefront'];

/** The alias that a deployment group moves. */
const aliasOf = ({ ofType }: Service, group: string) =>
  ofType('AWS::Lambda::Alias').find(({ updatePolicy }) => updatePolicy?.CodeDeployLambdaAliasUpdate?.DeploymentGroupName === group);

/** How new versions come to serve. */
export const releaseRules: Rules = {
  'a deployment moves the alias of each function whose failure hurts at once, and of one each': (service) => {
    const groups = service.ofType('AWS::CodeDeploy::DeploymentGroup').map(({ ref, properties }) => ({
      alias: aliasOf(service, ref),
      application: properties.ApplicationName,
    }));
    const moved = groups.flatMap(({ alias, application }) =>
      alias?.updatePolicy.CodeDeployLambdaAliasUpdate.ApplicationName === application ? (service.functionAt(alias?.arn)?.folder ?? []) : [],
    );
    return [
      ...tried.filter((folder) => !moved.includes(folder)).map((folder) => `no deployment moves the alias of ${folder}`),
      ...(moved.length === groups.length && new Set(moved).size === moved.length ? [] : [`${groups.length} deployments move ${moved}`]),
    ];
  },

  'every deployment is rolled back by errors of the alias that it moves, and of the API': (service) =>
    service
      .ofType('AWS::CodeDeploy::DeploymentGroup')
      .filter(({ ref, properties: { AlarmConfiguration, AutoRollbackConfiguration, DeploymentStyle } }) => {
        const alias = aliasOf(service, ref);
        const target = service.functionAt(alias?.arn);
        const alarms = (AlarmConfiguration?.Alarms ?? []).flatMap(({ Name }: Json) => service.at(Name, 'AWS::CloudWatch::Alarm') ?? []);
        const isOn = (metric: string, wanted: Json) =>
          alarms.some(({ properties: { MetricName, Dimensions = [], ComparisonOperator } }: Json) => {
            const dimensions = Object.fromEntries(Dimensions.map(({ Name, Value }: Json) => [Name, Value]));
            return (
              MetricName === metric &&
              ComparisonOperator.startsWith('GreaterThan') &&
              Object.entries(wanted).every(([name, value]) => dimensions[name] === value)
            );
          });
        const [api] = service.ofType('AWS::ApiGatewayV2::Api');
        return !(
          AlarmConfiguration?.Enabled &&
          !AlarmConfiguration.IgnorePollAlarmFailure &&
          AutoRollbackConfiguration?.Enabled &&
          ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'].every((event) => AutoRollbackConfiguration.Events.includes(event)) &&
          DeploymentStyle?.DeploymentOption === 'WITH_TRAFFIC_CONTROL' &&
          isOn('Errors', { FunctionName: target?.ref, Resource: `${target?.ref}:${alias?.properties.Name}` }) &&
          isOn('5xx', { ApiId: api?.ref })
        );
      })
      .map(({ id }) => id),
};
