/**
 * Owns what a block may say of its parent: which commit certificate it embeds, and what remains to be verified of it
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

/** What the state and the chain know of the parent of a block. */
export interface ParentRecord {
  /** View in which the parent was created: no certificate of it can be of an earlier one. */
  readonly originView: number
  /** Committee of the parent's height. */
  readonly committee: Committee
  /** What the votes for the parent were signed under. */
  readonly domain: SignDomain
}

/** The header fields that the rule reads. */
export type ParentClaim = Pick<BlockHeader, 'height' | 'parentHash' | 'parentCertificateHash'>

/** Hash by which a header names the certificate that its body embeds; zero for none. */
export const embeddedCertificateHash = (certificate: QuorumCertificate | undefined): Uint8Array =>
  certificate === undefined ? ZERO_HASH : certificateHash(certificate)

/**
 * Checks the certificate that a body embeds. Any commit certificate of the parent will do, whatever its view: nodes hold
 * different ones. At the first voted height there is none, because genesis has no certificate.
 *
 * @returns what is wrong with it, or the signature checks that remain. No state depends on those: they decide a vote,
 * and a certified block vouches for its certificate by its hash
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
  if (parent === undefined) return { fault: `nothing is known of the parent at height ${claim.height - 1}` }
  if (certificate.phase !== 'commit') return { fault: 'the embedded certificate is not a commit certificate' }
  if (!sameBytes(certificate.blockHash, claim.parentHash))
    return { fault: 'the embedded certificate is of another block' }
  if (certificate.view < parent.originView) {
    return { fault: 'the embedded certificate is of a view before the parent was created' }
  }
  const checked = checkQuorumCertificate(certificate, parent.committee, parent.domain)
  return 'fault' in checked ? { fault: `the embedded certificate: ${checked.fault}` } : checked
}
