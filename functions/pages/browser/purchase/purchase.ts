export interface PurchasedFile {
  file_id: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  sha256_hex: string;
}

/** The reply of `POST /v1/purchases/complete` for a token. */
export interface Purchase {
  order: { id: string; status: string; amount: number; currency: string; amount_refunded?: number; paid_at?: string };
  product: {
    slug: string;
    name: string;
    seller_display_name: string;
    support_email: string;
    site_url?: string;
    tokushoho_seller_name?: string;
    tokushoho_contact?: string;
    tokushoho_address?: string;
    refund_policy: string;
    software_operating_environment: string;
  };
  /** For the payer alone: where the link was emailed to. */
  buyer_email_masked?: string;
  license?: { id: string; status: string; license_key?: string; activation_limit: number; activation_count: number; issued_at: string };
  files: PurchasedFile[];
  expires_at?: string;
}
