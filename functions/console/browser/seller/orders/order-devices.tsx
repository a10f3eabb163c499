import { useState } from 'preact/hooks';
import type { SoldOrder } from '../../../../../build/client.ts';
import { useRead } from '../../api/reads.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { AskFirst } from '../../parts/ask-first.tsx';
import { DataTable, More } from '../../parts/data-table.tsx';
import { When } from '../../parts/when.tsx';
import { say } from './orders-texts.ts';

const titleId = 'devices';

interface Page {
  orderId: string;
  license: NonNullable<SoldOrder['license']>;
  next: string | undefined;
}

/** The devices that have or had a seat; those with one can lose it. */
export function OrderDevices(page: Page) {
  return (
    page.license.activations.length > 0 && (
      <section class="stack">
        <h2 tabIndex={-1} id={titleId}>
          {say.devices}
        </h2>
        <Devices {...page} />
      </section>
    )
  );
}

function Devices({ orderId, license, next }: Page) {
  const [more, setMore] = useState(false);
  return (
    <>
      <DataTable
        label={say.devices}
        rows={license.activations}
        idOf={({ id }) => id}
        columns={[
          { name: say.devices, of: nameOf },
          { name: say.activated, of: ({ activated_at }) => <When at={activated_at} /> },
          {
            name: say.released,
            of: (device) =>
              device.deactivated_at ? (
                <When at={device.deactivated_at} />
              ) : (
                <AskFirst
                  operation="releaseSoldActivation"
                  args={() => ({ path: { order_id: orderId, activation_id: device.id } })}
                  target={device.id}
                  ask={say.release}
                  label={`${say.release}: ${nameOf(device)}`}
                  title={`${say.release}: ${nameOf(device)}`}
                  notDone={say.notReleased}
                  focusAfter={titleId}
                >
                  <p>{say.releaseText}</p>
                </AskFirst>
              ),
          },
        ]}
      />
      {next !== undefined &&
        (more ? <LaterDevices orderId={orderId} cursor={next} /> : <More of={{ more: () => setMore(true), loadingMore: false }} />)}
    </>
  );
}

function LaterDevices({ orderId, cursor }: { orderId: string; cursor: string }) {
  const page = useRead('getSoldOrder', { path: { order_id: orderId }, query: { limit: 100, cursor } });
  return (
    <Loaded of={page}>{({ license, next_cursor }) => license && <Devices orderId={orderId} license={license} next={next_cursor} />}</Loaded>
  );
}

/** The interface calls them `device 2` in English alone. */
const nameOf = ({ name }: { name: string }): string => say.device(name.replace(/^device /, ''));
