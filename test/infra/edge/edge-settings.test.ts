import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { edgeDefaults, readEdgeSettings } from '../../../infra/settings/edge-settings.ts';
import { operatorSettings, synthesizeAt } from '../../support/synthesized.ts';
import { edge, edgeOf, only, type Properties, settings, variablesOf } from './edge-templates.ts';

jest.setTimeout(60_000);
const root = join(import.meta.dirname, '..', '..', '..');

describe('the settings of the edge', () => {
  test('lead the domain to it in both families of addresses, where the zone is given', async () => {
    const template = edgeOf(await synthesizeAt('staging', { ...settings, EDGE_ZONE_ID: 'Z0123456789ABC' }));
    const records = Object.values(template.findResources('AWS::Route53::RecordSet')).map(({ Properties }) => Properties);
    const [id] = Object.keys(template.findResources('AWS::CloudFront::Distribution'));
    expect(records.map(({ Type }) => Type).sort()).toEqual(['A', 'AAAA']);
    for (const record of records) {
      expect(record).toMatchObject({ Name: 'licenses.example.com.', HostedZoneId: 'Z0123456789ABC' });
      expect(record.AliasTarget.DNSName).toEqual({ 'Fn::GetAtt': [id, 'DomainName'] });
    }
    edgeOf(await synthesizeAt('staging', settings)).resourceCountIs('AWS::Route53::RecordSet', 0);
  });

  test('choose the rates, and the version of the secret that is sent', async () => {
    const version = '11111111-2222-3333-4444-555555555555';
    const chosen = { ...settings, EDGE_LICENSE_RATE: '100', EDGE_RATE: '300', EDGE_SECRET_VERSION: version };
    const template = edgeOf(await synthesizeAt('staging', chosen));
    const limits = only(template, 'AWS::WAFv2::WebACL')['Rules'].map(({ Statement }: Properties) => Statement.RateBasedStatement?.Limit);
    expect(limits.slice(0, 2)).toEqual([100, 300]);
    const [origin] = only(template, 'AWS::CloudFront::Distribution')['DistributionConfig'].Origins;
    expect(origin.OriginCustomHeaders[0].HeaderValue).toMatch(new RegExp(`:SecretString:::${version}}}$`));
  });

  test.each([
    [{ EDGE_CERTIFICATE_ARN: '' }, 'EDGE_CERTIFICATE_ARN is missing'],
    [{ EDGE_ORIGIN: '' }, 'EDGE_ORIGIN is missing'],
    [{ EDGE_CERTIFICATE_ARN: edge.EDGE_CERTIFICATE_ARN.replace('us-east-1', 'eu-west-1') }, 'EDGE_CERTIFICATE_ARN is malformed'],
    [{ EDGE_DOMAIN: 'https://licenses.example.com' }, 'EDGE_DOMAIN is malformed'],
    [{ EDGE_ORIGIN: 'not a host' }, 'EDGE_ORIGIN is malformed'],
    [{ EDGE_ORIGIN: 'licenses.example.com' }, 'EDGE_ORIGIN is EDGE_DOMAIN'],
    [{ EDGE_ZONE_ID: 'example.com' }, 'EDGE_ZONE_ID is malformed'],
    [{ EDGE_SECRET_VERSION: 'latest' }, 'EDGE_SECRET_VERSION is malformed'],
    [{ EDGE_LICENSE_RATE: '9' }, 'EDGE_LICENSE_RATE is malformed'],
    [{ EDGE_RATE: 'many' }, 'EDGE_RATE is malformed'],
    [{ PUBLIC_BASE_URL: 'https://abc123.execute-api.eu-west-1.amazonaws.com' }, 'PUBLIC_BASE_URL is not https://licenses.example.com'],
  ])('stop the synthesis with %j: %s', async (change, message) => {
    await expect(synthesizeAt('staging', { ...settings, ...change })).rejects.toThrow(message);
  });

  test('are in the table of them, with their defaults', async () => {
    const page = readFileSync(join(root, 'infra/stacks/edge.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(EDGE_\w+)` +\| `?([^|`]+?)`? +\|/gm)].map(([, name, usual]) => [name, usual]);
    const optional = Object.entries(readEdgeSettings({ ...settings })!).filter(([, value]) => value === undefined);
    const expected = Object.entries(edgeDefaults).map(([name, usual]) => {
      if (name === 'EDGE_DOMAIN') return [name, 'no edge'];
      if (optional.some(([each]) => each === name)) return [name, 'none'];
      return [name, usual || 'required'];
    });
    expect(rows).toEqual(expected);
  });

  test('make nothing at stage local, nor where there is no domain, where functions take any caller', async () => {
    expect((await synthesizeAt('local', settings)).edgeTemplate).toBeUndefined();
    const without = await synthesizeAt('staging');
    expect(without.edgeTemplate).toBeUndefined();
    for (const variables of variablesOf(without)) expect(variables).not.toHaveProperty('ORIGIN_REQUIRED');
    const secrets = Object.values(without.templates.data.findResources('AWS::SecretsManager::Secret'));
    expect(secrets.filter(({ Properties }) => Properties.ReplicaRegions)).toEqual([]);
  });

  test('may be left to a CDN of the operator’s own, whose secret functions then demand', async () => {
    const own = await synthesizeAt('staging', { ...operatorSettings, ORIGIN_REQUIRED: 'true' });
    expect(variablesOf(own).map(({ ORIGIN_REQUIRED }) => ORIGIN_REQUIRED)).toEqual(variablesOf(own).map(() => 'true'));
  });
});
