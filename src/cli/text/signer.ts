/** Owns the one-line text of a node's signer. */
import type { SignerStatus } from '../../api/index.js'
import { clockText } from './figures.js'

const timeOf = (ms: number): string => `${clockText(ms)} UTC`

/** State of a signer, such as `connected, lease until 12:00:02 UTC, last signature 12:00:00 UTC`. */
export function signerText({ connected, acts, leaseUntilMs, lastSignatureMs }: SignerStatus): string {
  const lease = leaseUntilMs === undefined ? undefined : `lease until ${timeOf(leaseUntilMs)}`
  const parts = [
    connected ? 'connected' : 'not connected, this node does not vote',
    acts ? lease : connected ? 'standby: another node acts for the validator' : undefined,
    lastSignatureMs === undefined ? undefined : `last signature ${timeOf(lastSignatureMs)}`,
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}
