/** Owns the reading and the offline verification of relay envelopes on the command line. */

import { sameBytes } from '../../base/bytes.js'
import type { CodecContext, Json } from '../../codec/index.js'
import { selectCommittee, sortRoster } from '../../consensus/index.js'
import { nobleBackend } from '../../crypto/bls-noble.js'
import { RELAY_ENVELOPE_FRAME } from '../../features/lanes/schema/views.js'
import { type CommitteeAnchor, checkEnvelope, identityOf, type RelayEnvelope } from '../../lanes/envelope.js'
import { chainHashOf, genesisSeed, keyBytes, LedgerError, type SignedGenesis } from '../../model/index.js'
import { inputName, readInput } from '../input/input.js'

/** Envelope of a file: a frame written by `lane envelope show --out`, or its JSON form. */
export async function readEnvelope(path: string): Promise<RelayEnvelope> {
  const bytes = await readInput(path)
  const { schema } = RELAY_ENVELOPE_FRAME
  // A frame starts with its magic, the JSON form with a brace.
  const isJson = /^\s*\{/.test(bytes.subarray(0, 64).toString('latin1'))
  const decoded = isJson ? schema.parseJson(bytes) : RELAY_ENVELOPE_FRAME.open(bytes)
  if (decoded.ok) return decoded.value
  throw new LedgerError(decoded.fault.code, `${inputName(path)}: ${decoded.fault.message}`)
}

/** Chain of a genesis and the committees of its validators, valid while the validators of genesis are unchanged. */
function committeesOf(genesis: SignedGenesis) {
  const payload = genesis.payload.value
  const seed = genesisSeed(genesis.payload.bytes)
  const chainHash = chainHashOf(payload.chain, seed)
  const roster = sortRoster(payload.topology.filter((one) => one.role === 'validator').map((one) => one.key))
  return { chainHash, committeeAt: (height: number) => selectCommittee(roster, chainHash, seed, height).hash }
}

/** Trust in a network's genesis. */
export function genesisAnchor(genesis: SignedGenesis): CommitteeAnchor {
  const { chainHash: own, committeeAt } = committeesOf(genesis)
  return (chainHash, height) => (sameBytes(own, chainHash) ? committeeAt(height) : undefined)
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Chain and committee of a height from the genesis of the chain, in the JSON form of SetRelayAnchor. */
export function committeeOfGenesis(genesis: SignedGenesis, height: number) {
  const { chainHash, committeeAt } = committeesOf(genesis)
  return { chain_hash: hex(chainHash), committee_hash: hex(committeeAt(height)) }
}

/** JSON form of an envelope. */
export const envelopeJson = (envelope: RelayEnvelope, codec: CodecContext): Json =>
  RELAY_ENVELOPE_FRAME.schema.toJson(envelope, codec)

/** Verify an envelope completely; throws `check_failed` with the fault. */
export function verifyEnvelope(envelope: RelayEnvelope, anchor: CommitteeAnchor): Record<string, unknown> {
  const checked = checkEnvelope(envelope, anchor)
  if ('fault' in checked) {
    throw new LedgerError('check_failed', `${checked.fault}: ${checked.detail}`, { details: { fault: checked.fault } })
  }
  const { keys, message, signature } = checked.check
  if (!nobleBackend().verifyAggregate(keys.map(keyBytes), message, signature)) {
    throw new LedgerError('check_failed', 'certificate: the signature is invalid', {
      details: { fault: 'certificate' },
    })
  }
  const { lane, dataspace, height, settlementHash, chainHash } = identityOf(envelope)
  return {
    valid: true,
    chain: envelope.header.chain,
    chain_hash: hex(chainHash),
    height,
    lane,
    dataspace: dataspace.toString(),
    settlement_hash: hex(settlementHash),
    receipts: envelope.settlementCommitment.receiptCount,
    signers: keys.length,
  }
}
