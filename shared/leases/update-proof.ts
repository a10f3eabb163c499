import { createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import * as z from 'zod/mini';
import { readJws } from '../crypto/compact-jws.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { idOf, type LicenseId, type ProductId } from '../ids.ts';
import { dsaEncoding, leaseType } from './lease.ts';
import type { LeaseKeys } from './lease-keys.ts';
import { ticketSignature, ticketType } from './update-ticket.ts';

/** A device that proved its license with a token that we signed. */
export interface ProvenDevice {
  licenseId: LicenseId;
  /** As leases name it. */
  device: string;
}

/** Why there is no proof. */
export type ProofFault = 'proof_missing' | 'proof_invalid' | 'proof_expired';

/** What an updater presented: a ticket in the path, or `-` in the path and a lease in a header. */
export interface PresentedProof {
  ticket: string;
  lease: string | undefined;
}

/** Verifies the presented proof for a product at a time. Makes no request. See "Proofs of updaters" in README.md */
export type VerifyProof = (presented: PresentedProof, productId: ProductId, now: Date) => ProvenDevice | ProofFault;

/** Larger than all headers that the gateway takes; the lease of a license with very many features may be so large. */
const maxProofLength = 10_240;

const Ticket = z.object({ sub: idOf('license'), aud: z.string(), dev: z.string(), exp: z.int() });
const Lease = z.extend(Ticket, { iss: z.string(), test: z.optional(z.boolean()) });

export function createProofVerifier(options: { leaseKeys: LeaseKeys; ticketKeys: Keyring; issuer: string }): VerifyProof {
  const { leaseKeys, ticketKeys, issuer } = options;
  const publicKeys = new Map(leaseKeys.published.map((key) => [key.kid, createPublicKey({ format: 'jwk', key })]));

  function readTicket(text: string) {
    const read = readJws(text, ticketType);
    const key = read && ticketKeys.find(read.header.kid);
    if (!read || !key) return undefined;
    const expected = ticketSignature(key, read.signed);
    const isSigned = read.signature.length === expected.length && timingSafeEqual(read.signature, expected);
    return isSigned ? Ticket.safeParse(read.claims).data : undefined;
  }

  function readLease(text: string) {
    const read = readJws(text, leaseType);
    const key = read && publicKeys.get(read.header.kid);
    if (!read || !key || !verify('sha256', read.signed, { key, dsaEncoding }, read.signature)) return undefined;
    const lease = Lease.safeParse(read.claims).data;
    // What a test key unlocks is for the seller alone.
    return lease?.iss === issuer && !lease.test ? lease : undefined;
  }

  return ({ ticket, lease }, productId, now) => {
    const isTicket = ticket !== '-';
    const proof = isTicket ? ticket : lease;
    if (proof === undefined || proof.trim() === '') return 'proof_missing';
    if (proof.length > maxProofLength) return 'proof_invalid';
    const claims = isTicket ? readTicket(proof) : readLease(proof.trim());
    if (claims?.aud !== productId) return 'proof_invalid';
    return claims.exp * 1000 > now.getTime() ? { licenseId: claims.sub, device: claims.dev } : 'proof_expired';
  };
}
