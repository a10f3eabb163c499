import type { BodyOf } from '../../api/call.ts';
import { useRead } from '../../api/reads.ts';
import { TextArea } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { AskWithReason, Devices, DevicesSection, LicenseSection } from '../../orders/license-section.tsx';
import { texts as ordersTexts } from '../../orders/orders-texts.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { texts } from './orders-texts.ts';

type License = BodyOf<'getLicense'>;

const useLicense = (id: string, cursor?: string) =>
  useRead('getLicense', { path: { license_id: id }, query: { limit: 100, ...(cursor && { cursor }) } });

/** What a license is worth, and who has its seats. */
export function OrderLicense({ id }: { id: string }) {
  return (
    <Loaded of={useLicense(id)}>
      {(license) => (
        <>
          <LicenseSection
            license={license}
            facts={[
              [texts.revokedBy, license.revoked_by && <SellerText text={license.revoked_by} />],
              [texts.keys, wordOf('issuance', license.license_issuance_mode)],
            ]}
          >
            {license.status !== 'revoked' && (
              <AskWithReason
                operation="revokeLicense"
                id={id}
                argsOf={(body) => ({ path: { license_id: id }, body })}
                ask={texts.revoke}
                title={texts.revokeTitle}
                text={texts.revokeText}
                notDone={texts.notRevoked}
                said={texts.revoked}
                check={(body) => bodyFaults('revokeLicense', body)}
              >
                <TextArea name="reason" label={ordersTexts.reason} optional most={500} rows={3} />
              </AskWithReason>
            )}
          </LicenseSection>
          <DevicesSection>
            <LicenseDevices license={license} />
          </DevicesSection>
        </>
      )}
    </Loaded>
  );
}

const LicenseDevices = ({ license: { id, activations, next_cursor } }: { license: License }) => (
  <Devices
    devices={activations}
    nameOf={({ device_label }) => device_label ?? texts.unnamed}
    operation="releaseActivation"
    argsOf={(activation_id) => ({ path: { license_id: id, activation_id } })}
    next={next_cursor}
    later={(cursor) => <LaterDevices id={id} cursor={cursor} />}
  />
);

const LaterDevices = ({ id, cursor }: { id: string; cursor: string }) => (
  <Loaded of={useLicense(id, cursor)}>{(license) => <LicenseDevices license={license} />}</Loaded>
);
