/**
 * Owns the rule for the certificate of the parent: which commit certificate a block may embed, and what remains to be verified
 * (docs/design/consensus.md 3, docs/design/hardening.md 3). One rule for the ledger, the voter and the simulator.
 */
import { sameBytes } from '../base/bytes.js'
import {
  type BlockHeader,
  certificateHash,
  FIRST_VOTED_HEIGHT,
  type QuorumCertificate,
  ZERO_HASH,
} from '../model/index.js'
import { checkQuorumCertificate } from './certificate.js'
import type { SameMessageCheck } from './check.js'
import type { Committee } from './roster.js'
import type { SignDomain } from './sign-bytes.js'

/** Data about the parent of a block from state and chain. */
export interface ParentRecord {
  /** View in which the parent was created, the lowest possible view of its certificate. */
  readonly originView: number
  /** Committee of the parent's height. */
  readonly committee: Committee
  /** Signing domain of the votes for the parent. */
  readonly domain: SignDomain
}

/** The header fields that the rule reads. */
export type ParentClaim = Pick<BlockHeader, 'height' | 'parentHash' | 'parentCertificateHash'>

/** Hash of the embedded certificate in a header; zero for none. */
export const embeddedCertificateHash = (certificate: QuorumCertificate | undefined): Uint8Array =>
  certificate === undefined ? ZERO_HASH : certificateHash(certificate)

/**
 * Check the certificate that a body embeds. Any commit certificate of the parent is valid, whatever its view, because
 * nodes hold different ones. The first voted height has none, because genesis has no certificate.
 *
 * @returns a fault, or the remaining signature checks. No state depends on these checks: they decide a vote, and a
 * certified block covers its certificate by its hash
 */
export function checkParentCertificate(
  claim: ParentClaim,
  certificate: QuorumCertificate | undefined,
  parent: ParentRecord | undefined,
): { readonly fault: string } | { readonly checks: readonly SameMessageCheck[] } {
  if (!sameBytes(embeddedCertificateHash(certificate), claim.parentCertificateHash)) {
    return { fault: 'the body embeds another parent certificate than the header names' }
  }
  if (claim.height === FIRST_VOTED_HEIGHT) {
    return certificate === undefined ? { checks: [] } : { fault: 'genesis has no certificate to embed' }
  }
  if (certificate === undefined) return { fault: 'no parent certificate is embedded' }
  if (parent === undefined) return { fault: `the parent at height ${claim.height - 1} is unknown` }
  if (certificate.phase !== 'commit') return { fault: 'the embedded certificate is not a commit certificate' }
  if (!sameBytes(certificate.blockHash, claim.parentHash))
    return { fault: 'the embedded certificate is of another block' }
  if (certificate.view < parent.originView) {
    return { fault: 'the embedded certificate is of a view before the parent was created' }
  }
  const checked = checkQuorumCertificate(certificate, parent.committee, parent.domain)
  return 'fault' in checked ? { fault: `the embedded certificate: ${checked.fault}` } : checked
}
