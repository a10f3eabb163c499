import type { Json } from '../json.ts';
import type { Rules } from '../rule.ts';
import type { Resource, Service } from '../service.ts';

/** What SES calls the events of a kind on the bus. */
const detailTypes: Readonly<Record<string, string>> = {
  bounce: 'Email Bounced',
  complaint: 'Email Complaint Received',
  deliveryDelay: 'Email Delivery Delayed',
  reject: 'Email Rejected',
};

/** All that of a report may reach a queue: neither address nor subject is in any of it. */
const nameless = [
  '$.detail-type',
  '$.time',
  '$.detail.mail.tags.order_id',
  '$.detail.mail.tags.mail_id',
  '$.detail.bounce.bounceType',
  '$.detail.bounce.bounceSubType',
];

const reportRules = ({ ofType }: Service) => ofType('AWS::Events::Rule').filter(({ properties }) => isOfMail(properties.EventPattern));
const isOfMail = (pattern: Json) => pattern?.source?.includes('aws.ses');

/** The destination through which a configuration set tells the default bus, where rules are. */
const destinationsOf = ({ ofType }: Service, { ref, region }: Resource) =>
  ofType('AWS::SES::ConfigurationSetEventDestination').filter(
    ({ properties: { ConfigurationSetName, EventDestination } }) =>
      ConfigurationSetName === ref &&
      EventDestination.Enabled !== false &&
      new RegExp(`^arn:aws:events:${region}:\\d+:event-bus/default$`).test(EventDestination.EventBridgeDestination?.EventBusArn),
  );

/** The way of mails out, and of reports back. */
export const mailRules: Rules = {
  'mails go out over TLS alone, and never again to who bounced or complained': ({ ofType }) =>
    ofType('AWS::SES::ConfigurationSet')
      .filter(({ properties: { DeliveryOptions, SuppressionOptions, SendingOptions } }) => {
        const reasons = SuppressionOptions?.SuppressedReasons ?? [];
        const isSafe = DeliveryOptions?.TlsPolicy === 'REQUIRE' && SendingOptions?.SendingEnabled !== false;
        return !isSafe || !['BOUNCE', 'COMPLAINT'].every((reason) => reasons.includes(reason));
      })
      .map(({ id }) => id),

  'every report of a mail that was not delivered has a rule that takes it, once': (service) =>
    service.ofType('AWS::SES::ConfigurationSet').flatMap((set) => {
      const told = destinationsOf(service, set).flatMap(({ properties }) => properties.EventDestination.MatchingEventTypes as string[]);
      const taken = reportRules(service)
        .filter(({ properties: { EventPattern, EventBusName } }) => {
          const sets = EventPattern.detail?.mail?.tags?.['ses:configuration-set'];
          return EventBusName === undefined && sets?.length === 1 && sets[0] === set.ref;
        })
        .flatMap(({ properties }) => properties.EventPattern['detail-type'] as string[]);
      return [
        ...Object.keys(detailTypes)
          .filter((kind) => !told.includes(kind))
          .map((kind) => `${kind} is not told`),
        ...told
          .filter((kind) => taken.filter((type) => type === detailTypes[kind]).length !== 1)
          .map((kind) => `${kind} is not taken once`),
      ];
    }),

  'a report reaches the queue of mails, without the address that it is about': (service) => {
    const queues = new Set(service.functions.flatMap(({ environment }) => service.at(environment['MAIL_QUEUE_URL'])?.arn ?? []));
    return reportRules(service).flatMap(({ id, properties: { Targets = [] } }) =>
      Targets.flatMap(({ Arn, Input, InputPath, InputTransformer }: Json) => {
        const paths = Object.values<string>(InputTransformer?.InputPathsMap ?? {});
        const isNameless = paths.length > 0 && paths.every((path) => nameless.includes(path));
        const isWhole = InputPath !== undefined || Input !== undefined || /<aws\.events\.event/.test(InputTransformer?.InputTemplate ?? '');
        return queues.has(Arn) && isNameless && !isWhole ? [] : [`${id} brings ${paths} to ${Arn}`];
      }),
    );
  },
};
