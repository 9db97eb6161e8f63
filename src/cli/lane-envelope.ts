/** Owns the reading and the offline verification of relay envelopes on the command line. */
import { RELAY_ENVELOPE_FRAME } from '../api/frames.js'
import { selectCommittee, sortRoster } from '../consensus/index.js'
import { nobleBackend } from '../crypto/bls-noble.js'
import { type CommitteeAnchor, checkEnvelope, identityOf, type RelayEnvelope } from '../lanes/envelope.js'
import { chainHashOf, genesisSeed, keyBytes, LedgerError, type SignedGenesis } from '../model/index.js'
import { inputName, readInput } from './input.js'

/** The envelope of a file: a frame as `lane envelope get --out` writes it, or its JSON twin. */
export async function readEnvelope(path: string): Promise<RelayEnvelope> {
  const bytes = await readInput(path)
  const { schema } = RELAY_ENVELOPE_FRAME
  // A frame starts with its magic, the twin with a brace.
  const isJson = /^\s*\{/.test(bytes.subarray(0, 64).toString('latin1'))
  const decoded = isJson ? schema.parseJson(bytes) : RELAY_ENVELOPE_FRAME.open(bytes)
  if (decoded.ok) return decoded.value
  throw new LedgerError(decoded.fault.code, `${inputName(path)}: ${decoded.fault.message}`)
}

/** Trust in a network's genesis: the committees of its validators, for as long as they stay those of genesis. */
export function genesisAnchor(genesis: SignedGenesis): CommitteeAnchor {
  const payload = genesis.payload.value
  const seed = genesisSeed(genesis.payload.bytes)
  const own = chainHashOf(payload.chain, seed)
  const roster = sortRoster(payload.topology.filter((one) => one.role === 'validator').map((one) => one.key))
  return (chainHash, height) =>
    Buffer.compare(own, chainHash) === 0 ? selectCommittee(roster, own, seed, height).hash : undefined
}

/** Verifies everything that an envelope says; throws `check_failed` with what is wrong. */
export function verifyEnvelope(envelope: RelayEnvelope, anchor: CommitteeAnchor): Record<string, unknown> {
  const checked = checkEnvelope(envelope, anchor)
  if ('fault' in checked) {
    throw new LedgerError('check_failed', `${checked.fault}: ${checked.detail}`, { details: { fault: checked.fault } })
  }
  const { keys, message, signature } = checked.check
  if (!nobleBackend().verifyAggregate(keys.map(keyBytes), message, signature)) {
    throw new LedgerError('check_failed', 'certificate: the signature does not hold', {
      details: { fault: 'certificate' },
    })
  }
  const { lane, dataspace, height, settlementHash, chainHash } = identityOf(envelope)
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
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
