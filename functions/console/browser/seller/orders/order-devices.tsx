import { useState } from 'preact/hooks';
import { useRead } from '../../api/reads.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { AskFirst } from '../../parts/ask-first.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { When } from '../../parts/when.tsx';
import { say } from './orders-texts.ts';
import type { SoldLicense } from './sale.ts';

/** The devices that have or had a seat; those with one can lose it. */
export function OrderDevices({ orderId, license, next }: { orderId: string; license: SoldLicense; next: string | undefined }) {
  return (
    <section class="stack">
      <h2 tabIndex={-1} id="devices-title">
        {say.devices}
      </h2>
      {license.activations.length === 0 ? (
        <Empty text={say.noDevices} />
      ) : (
        <Devices orderId={orderId} devices={license.activations} next={next} />
      )}
    </section>
  );
}

function Devices({ orderId, devices, next }: { orderId: string; devices: SoldLicense['activations']; next: string | undefined }) {
  const [more, setMore] = useState(false);
  return (
    <>
      <DataTable
        label={say.devices}
        rows={devices}
        idOf={({ id }) => id}
        columns={[
          { name: say.devices, of: ({ name }) => nameOf(name) },
          { name: say.activated, of: ({ activated_at }) => <When at={activated_at} /> },
          { name: say.released, of: ({ deactivated_at }) => (deactivated_at ? <When at={deactivated_at} /> : say.hasSeat) },
          {
            name: say.release,
            of: ({ id, name, deactivated_at }) =>
              deactivated_at === undefined && (
                <AskFirst
                  operation="releaseSoldActivation"
                  args={() => ({ path: { order_id: orderId, activation_id: id } })}
                  target={id}
                  ask={say.release}
                  title={say.releaseOf(nameOf(name))}
                  said={say.releaseDone}
                  focusAfter="devices-title"
                >
                  <p>{say.releaseText}</p>
                </AskFirst>
              ),
          },
        ]}
      />
      {next !== undefined && !more && (
        <p>
          <button type="button" class="button quiet" onClick={() => setMore(true)}>
            {say.moreDevices}
          </button>
        </p>
      )}
      {next !== undefined && more && <LaterDevices orderId={orderId} cursor={next} />}
    </>
  );
}

function LaterDevices({ orderId, cursor }: { orderId: string; cursor: string }) {
  const page = useRead('getSoldOrder', { path: { order_id: orderId }, query: { limit: 100, cursor } });
  return (
    <Loaded of={page}>
      {({ license, next_cursor }) => license && <Devices orderId={orderId} devices={license.activations} next={next_cursor} />}
    </Loaded>
  );
}

/** The interface calls them `device 2` in English alone. */
const nameOf = (name: string): string => (/^device \d+$/.test(name) ? say.device(name.slice('device '.length)) : name);
