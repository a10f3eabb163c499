import { useState } from 'preact/hooks';
import type { SoldOrder } from '../../../../../build/client.ts';
import { useRead } from '../../api/reads.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { DataTable, More } from '../../components/data-table.tsx';
import { When } from '../../components/when.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { texts } from './orders-texts.ts';

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
          {texts.devices}
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
        label={texts.devices}
        rows={license.activations}
        idOf={({ id }) => id}
        columns={[
          { name: texts.devices, of: nameOf },
          { name: texts.activated, of: ({ activated_at }) => <When at={activated_at} /> },
          {
            name: texts.released,
            of: (device) =>
              device.deactivated_at ? (
                <When at={device.deactivated_at} />
              ) : (
                <AskFirst
                  operation="releaseSoldActivation"
                  args={() => ({ path: { order_id: orderId, activation_id: device.id } })}
                  target={device.id}
                  ask={texts.release}
                  label={`${texts.release}: ${nameOf(device)}`}
                  title={`${texts.release}: ${nameOf(device)}`}
                  notDone={texts.notReleased}
                  focusAfter={titleId}
                >
                  <p>{texts.releaseText}</p>
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
const nameOf = ({ name }: { name: string }): string => texts.device(name.replace(/^device /, ''));
