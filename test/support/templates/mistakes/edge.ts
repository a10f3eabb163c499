import type { Json } from '../json.ts';
import { change, find, type Mistake, remove } from './mistake.ts';

const secret = 'the CDN tells the API a secret that is kept in its own Region, over TLS';
const refused = 'where there is a CDN, every function that answers callers refuses who comes past it, and without one none does';
const named = 'callers reach the CDN over TLS alone, under the domain of the pages, and are named to the API';
const blocks = 'the firewall stands before the CDN, limits license checks and everything else but webhooks, and blocks';
const record = 'the record of the CDN may be written, is kept for a time, and holds nothing secret';

const cdn = (edit: (config: Json) => void) =>
  change('AWS::CloudFront::Distribution', /./, ({ DistributionConfig }) => edit(DistributionConfig));
const wall = (name: string, edit: (rule: Json) => void) =>
  change('AWS::WAFv2::WebACL', /./, ({ Rules }) => edit(Rules.find(({ Name }: Json) => Name === name)));

/** Ways past the CDN, and through it. */
export const edgeMistakes: readonly Mistake[] = [
  {
    mistake: 'the CDN does not tell its secret',
    breaks: secret,
    plant: cdn(({ Origins: [origin] }) => {
      delete origin.OriginCustomHeaders;
    }),
  },
  {
    mistake: 'the CDN tells another secret',
    breaks: secret,
    plant: cdn(({ Origins: [{ OriginCustomHeaders }] }) => {
      OriginCustomHeaders[0].HeaderValue = '{{resolve:secretsmanager:license-service/production/TOKEN_KEYS:SecretString:::}}';
    }),
  },
  {
    mistake: 'the CDN asks the API in the open',
    breaks: secret,
    plant: cdn(({ Origins: [{ CustomOriginConfig }] }) => {
      CustomOriginConfig.OriginProtocolPolicy = 'match-viewer';
    }),
  },
  {
    mistake: 'the secret of the CDN is not in its Region',
    breaks: secret,
    plant: change('AWS::SecretsManager::Secret', /^ORIGIN/, (properties) => {
      delete properties.ReplicaRegions;
    }),
  },
  {
    mistake: 'the secret of the CDN is kept in its Region where it is there already',
    breaks: secret,
    plant: (stacks) => {
      const { template } = find(stacks, 'AWS::SecretsManager::Secret', /^ORIGIN/).stack;
      const [condition] = Object.values(template.Conditions ?? {});
      condition['Fn::Not'] = [{ 'Fn::Not': condition['Fn::Not'] }];
    },
  },
  {
    mistake: 'a property depends on a condition that does not exist',
    breaks: 'every reference leads to a resource, an attribute or an export that exists',
    plant: (stacks) => {
      delete find(stacks, 'AWS::SecretsManager::Secret', /^ORIGIN/).stack.template.Conditions;
    },
  },
  {
    mistake: 'the alias record of the CDN looks in a map that is not there',
    breaks: 'every reference leads to a resource, an attribute or an export that exists',
    plant: (stacks) => {
      delete find(stacks, 'AWS::Route53::RecordSet').stack.template.Mappings;
    },
  },
  {
    mistake: 'a stack of one Region imports from another',
    breaks: 'every reference leads to a resource, an attribute or an export that exists',
    plant: (stacks) => {
      const exported = Object.values<Json>(find(stacks, 'AWS::SQS::Queue').stack.template.Outputs ?? {}).find(({ Export }) => Export);
      find(stacks, 'AWS::CloudFront::Distribution').resource.Properties.DistributionConfig.Comment = {
        'Fn::ImportValue': exported.Export.Name,
      };
    },
  },
  {
    mistake: 'one function answers who comes past the CDN',
    breaks: refused,
    plant: change('AWS::Lambda::Function', /^licenses/, ({ Environment: { Variables } }) => {
      delete Variables.ORIGIN_REQUIRED;
    }),
  },
  {
    mistake: 'functions refuse everybody, since there is no CDN',
    breaks: refused,
    plant: (stacks) => {
      stacks.splice(
        stacks.findIndex(({ name }) => name.endsWith('-edge')),
        1,
      );
    },
  },
  {
    mistake: 'callers reach some paths in the open',
    breaks: named,
    plant: cdn(({ CacheBehaviors: [behavior] }) => {
      behavior.ViewerProtocolPolicy = 'allow-all';
    }),
  },
  {
    mistake: 'callers of license checks are not named',
    breaks: named,
    plant: cdn(({ DefaultCacheBehavior }) => {
      delete DefaultCacheBehavior.FunctionAssociations;
    }),
  },
  {
    mistake: 'the CDN answers to another name than pages link to',
    breaks: named,
    plant: cdn((config) => {
      config.Aliases = ['cdn.example.com'];
    }),
  },
  {
    mistake: 'nothing stands before the CDN',
    breaks: blocks,
    plant: cdn((config) => {
      delete config.WebACLId;
    }),
  },
  {
    mistake: 'license checks are counted instead of blocked',
    breaks: blocks,
    plant: wall('LicenseRate', (rule) => {
      rule.Action = { Count: {} };
    }),
  },
  {
    mistake: 'the limit of license checks is about another path',
    breaks: blocks,
    plant: wall('LicenseRate', ({ Statement: { RateBasedStatement } }) => {
      RateBasedStatement.ScopeDownStatement.ByteMatchStatement.SearchString = '/v1/license/';
    }),
  },
  {
    mistake: 'webhooks of the provider are limited',
    breaks: blocks,
    plant: wall('Rate', ({ Statement: { RateBasedStatement } }) => {
      RateBasedStatement.ScopeDownStatement = RateBasedStatement.ScopeDownStatement.NotStatement.Statement;
    }),
  },
  {
    mistake: 'the common rules count',
    breaks: blocks,
    plant: wall('Common', (rule) => {
      rule.OverrideAction = { Count: {} };
    }),
  },
  {
    mistake: 'one more of the common rules counts',
    breaks: blocks,
    plant: wall('Common', ({ Statement: { ManagedRuleGroupStatement } }) => {
      ManagedRuleGroupStatement.RuleActionOverrides.push({ ActionToUse: { Count: {} }, Name: 'EC2MetaDataSSRF_QUERYARGUMENTS' });
    }),
  },
  {
    mistake: 'the record of the CDN holds queries',
    breaks: record,
    plant: change('AWS::Logs::Delivery', /./, ({ RecordFields }) => {
      RecordFields.push('cs-uri-query');
    }),
  },
  {
    mistake: 'the record of the CDN may not be written',
    breaks: record,
    plant: remove('AWS::Logs::ResourcePolicy'),
  },
  {
    mistake: 'the record of the CDN is kept for ever',
    breaks: record,
    plant: change('AWS::Logs::LogGroup', /^AccessLogD598/, (properties) => {
      delete properties.RetentionInDays;
    }),
  },
  {
    mistake: 'an alarm of the CDN tells a topic of another Region',
    breaks:
      'every alarm is switched on, and tells a topic of its Region, which lets CloudWatch publish, when it goes off and when it is over',
    plant: (stacks) => {
      const { resource } = find(stacks, 'AWS::CloudWatch::Alarm', /^EdgeErrors/);
      resource.Properties.AlarmActions = ['arn:aws:sns:eu-west-1:123456789012:license-service-production-operations-Alarms'];
    },
  },
  {
    mistake: 'an alarm is on a firewall that does not exist',
    breaks: 'every dimension names a resource of the service',
    plant: change('AWS::CloudWatch::Alarm', /^BlockedRequests/, ({ Dimensions }) => {
      Dimensions.find(({ Name }: Json) => Name === 'WebACL').Value = 'wall';
    }),
  },
];
