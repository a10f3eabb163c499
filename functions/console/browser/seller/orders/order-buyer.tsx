import type { SoldOrder } from '../../../../../build/client.ts';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { AddressForm, BuyerSection } from '../../orders/buyer-section.tsx';
import { SellerLink } from '../../text/seller-text.tsx';
import { texts } from './orders-texts.ts';

/** What reaches the buyer of a paid sale, and the way to another address, on which admins decide. */
export function OrderBuyer({ sale }: { sale: SoldOrder }) {
  const { id, manage_url, email_request: request } = sale;
  const asked = request && (
    <>
      {request.decision ? <State of="email_request" value={request.decision} /> : <State of="product" value="pending_review" />}{' '}
      <When at={request.requested_at} />
    </>
  );
  return (
    <BuyerSection
      order={sale}
      resend="resendSoldOrderLink"
      suppressed={texts.suppressed}
      facts={[
        [texts.manage, manage_url && <SellerLink href={manage_url} />],
        [texts.correction, asked],
      ]}
    >
      <AddressForm operation="requestEmailCorrection" id={id} submit={texts.ask} hint={texts.correctionLead} notDone={texts.notAsked} />
    </BuyerSection>
  );
}
