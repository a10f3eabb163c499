import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { createRuntimeHarness } from '../licenses/runtime-harness.ts';
import { type Path, type Taken, takes } from './path.ts';

/** What apps ask, with every license under the older of two peppers, so that lookups read under both. */
export async function openLicensePaths() {
  const client = createDynamoClient();
  const { event, offlineEvent, leaselessKey, call } = await createRuntimeHarness({ client });
  const path = (name: string, budget: Taken, request: Parameters<typeof call>[0]): Path => ({
    name,
    budget,
    async go() {
      const { statusCode, body } = await call(request);
      const { code, lease } = JSON.parse(body ?? '');
      return `${statusCode} ${code}${lease === undefined ? '' : ', with a lease'}`;
    },
  });
  const paths = [
    path('validate', takes(1, { reads: 2 }), event('validate')),
    path('validate, unknown key', takes(1, { reads: 4 }), event('validate', 'desk', 'UNKNOWN')),
    path('activate, first time', takes(2, { reads: 4, writes: 9 }), event('activate', 'desk')),
    path('activate, again', takes(1, { reads: 4 }), event('activate', 'desk')),
    path('activate, without leases', takes(2, { reads: 4, writes: 9 }), event('activate', 'desk', leaselessKey)),
    path('validate, with its device', takes(1, { reads: 4 }), event('validate', 'desk')),
    path('activate, last seat', takes(2, { reads: 4, writes: 9 }), event('activate', 'laptop')),
    path('activate, no seat left', takes(2, { reads: 4, writes: 7 }), event('activate', 'phone')),
    path('deactivate', takes(2, { reads: 4, writes: 9 }), event('deactivate', 'desk')),
    path('deactivate, again', takes(2, { reads: 6 }), event('deactivate', 'desk')),
    // One of them counts the caller.
    path('offline activation, first time', takes(3, { reads: 4, writes: 10 }), offlineEvent('desk')),
    path('offline activation, again', takes(2, { reads: 4, writes: 1 }), offlineEvent('desk')),
    path('offline activation, no seat left', takes(3, { reads: 4, writes: 8 }), offlineEvent('phone')),
  ];
  return { client, paths, stop: async () => undefined };
}
