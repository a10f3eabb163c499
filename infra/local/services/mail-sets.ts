import * as z from 'zod/mini';
import type { SynthesizedApp } from '../template.ts';

const DestinationProperties = z.object({
  ConfigurationSetName: z.string(),
  EventDestination: z.object({
    Enabled: z.boolean(),
    MatchingEventTypes: z.array(z.string()),
    EventBridgeDestination: z.object({ EventBusArn: z.string().check(z.regex(/:event-bus\/default$/)) }),
  }),
});

/** The configuration sets of the app, by name, with the types of events that each tells the bus. */
export function readMailSets(app: SynthesizedApp): ReadonlyMap<string, ReadonlySet<string>> {
  const sets = new Map(app.ofType('AWS::SES::ConfigurationSet').map((resource) => [app.madeOf(resource).ref, new Set<string>()] as const));
  for (const resource of app.ofType('AWS::SES::ConfigurationSetEventDestination')) {
    const { ConfigurationSetName, EventDestination } = app.read(resource, DestinationProperties);
    if (EventDestination.Enabled) for (const type of EventDestination.MatchingEventTypes) sets.get(ConfigurationSetName)?.add(type);
  }
  return sets;
}
