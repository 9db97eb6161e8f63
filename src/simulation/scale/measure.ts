/** Owns the measurement of costs on this machine, which takes a few seconds before the first run. */
import { bitmapOf, type ConsensusMessage, consensusMessage, quorumOf, step } from '../../consensus/index.js'
import {
  BLS_SIGNATURE_BYTES,
  blake3,
  ed25519PublicKey,
  loadBls,
  loadFastEd25519,
  signEd25519,
  verifyEd25519Batch,
} from '../../crypto/index.js'
import { hashOfHeader } from '../../model/index.js'
import { ScaleChain } from './chain.js'
import { type Costs, costsOf, DEFAULT_COSTS } from './costs.js'
import { measureIo } from './measure-io.js'
import { ScaleRun } from './run.js'
import { DEFAULT_SCENARIO } from './scenario.js'

/** Size of the committee whose certificates are measured. */
const MEMBERS = 100
/** Bytes of the payload that is hashed, encoded and decoded. */
const PAYLOAD_BYTES = 256 * 1024
/** Batches of a measurement. The fastest counts, because other load on the machine only slows the others down. */
const BATCHES = 25

/** Time of one call in ns, measured in batches of this many calls. */
function timeNs(calls: number, run: (call: number) => void): number {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < BATCHES; batch++) {
    const startedMs = performance.now()
    for (let call = 0; call < calls; call++) run(batch * calls + call)
    fastestMs = Math.min(fastestMs, performance.now() - startedMs)
  }
  return (fastestMs * 1e6) / calls
}

/** Message that differs from the messages of all earlier calls. */
function messageOf(number: number): Buffer {
  const message = Buffer.alloc(128)
  message.writeUInt32BE(number)
  return message
}

async function measureBls(): Promise<Pick<Costs, 'blsSignNs' | 'blsVerifyNs' | 'blsKeyNs' | 'blsSignatureNs'>> {
  const bls = await loadBls()
  const quorum = quorumOf(MEMBERS)
  const secrets = Array.from({ length: quorum }, (_, index) => {
    const secret = Buffer.alloc(32)
    secret.writeUInt32BE(index + 1, 28)
    return secret
  })
  const [first = Buffer.alloc(0)] = secrets
  const keys = secrets.map((secret) => bls.publicKeyFromSecret(secret))
  const message = messageOf(0)
  const signatures = secrets.map((secret) => bls.sign(secret, message))
  const [single = Buffer.alloc(0)] = signatures
  const aggregate = bls.aggregate(signatures)
  if (aggregate === undefined) throw new Error('own signatures cannot be aggregated')
  const verifyNs = timeNs(1, () => bls.verifyAggregate(keys.slice(0, 1), message, single))
  const verifyAllNs = timeNs(1, () => bls.verifyAggregate(keys, message, aggregate))
  return {
    blsSignNs: timeNs(1, (call) => bls.sign(first, messageOf(call))),
    blsVerifyNs: verifyNs,
    blsKeyNs: Math.max(0, verifyAllNs - verifyNs) / (quorum - 1),
    blsSignatureNs:
      Math.max(0, timeNs(1, () => bls.aggregateVerified(signatures, keys, message)) - verifyAllNs) / quorum,
  }
}

async function measureTransactions(): Promise<Pick<Costs, 'transactionVerifyNs'>> {
  await loadFastEd25519()
  const seed = Buffer.alloc(32, 1)
  const publicKey = ed25519PublicKey(seed)
  const items = Array.from({ length: 24 }, (_, index) => {
    const message = messageOf(index)
    return { publicKey, message, signature: signEd25519(seed, message) }
  })
  return { transactionVerifyNs: timeNs(1, () => verifyEd25519Batch(items)) / items.length }
}

/** A certificate with its header, and the response that contains a payload. */
function sampleMessages(): { readonly certificate: ConsensusMessage; readonly payload: ConsensusMessage } {
  const chain = new ScaleChain({ ...DEFAULT_SCENARIO, validators: MEMBERS })
  const { height, parentHash, committee, order, rosterHash, nextCommittee } = chain.contextOf(2, undefined)
  const template = {
    chain: 'scale',
    height,
    parentHash,
    parentTimeMs: 1,
    originView: 0,
    originProposer: order[0] ?? '',
    rosterHash,
    committeeHash: committee.hash,
    nextCommitteeHash: nextCommittee.hash,
  }
  const { header } = chain.build(template, undefined, [], 0)
  const blockHash = hashOfHeader(header)
  const signers = Array.from({ length: committee.quorum }, (_, index) => index)
  const certificate = {
    phase: 'prepare',
    height,
    view: 0,
    blockHash,
    committeeHash: committee.hash,
    bitmap: bitmapOf(committee.keys.length, signers),
    aggregate: Buffer.alloc(BLS_SIGNATURE_BYTES),
  } as const
  return {
    certificate: { kind: 'certificate', value: { header, certificate } },
    payload: { kind: 'payloadResponse', value: { height, blockHash, header, body: Buffer.alloc(PAYLOAD_BYTES) } },
  }
}

function measureCodec(): Pick<Costs, 'encodeNs' | 'encodeKibNs' | 'decodeNs' | 'decodeKibNs' | 'hashKibNs'> {
  const { certificate, payload } = sampleMessages()
  const [small, large] = [consensusMessage.encode(certificate), consensusMessage.encode(payload)]
  const encodeNs = timeNs(100, () => consensusMessage.encode(certificate))
  const decodeNs = timeNs(100, () => consensusMessage.decode(small))
  const perKib = (ns: number): number => (Math.max(0, ns) * 1_024) / PAYLOAD_BYTES
  return {
    encodeNs,
    encodeKibNs: perKib(timeNs(5, () => consensusMessage.encode(payload)) - encodeNs),
    decodeNs,
    decodeKibNs: perKib(timeNs(5, () => consensusMessage.decode(large)) - decodeNs),
    hashKibNs: perKib(timeNs(5, () => blake3(large))),
  }
}

/** Runs of a small network in which the time of inputs is measured; the fastest counts. */
const STEP_RUNS = 3

/** Mean time of an input of the state machine in a small network that decides some blocks. */
function measureStep(): Pick<Costs, 'stepNs'> {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < STEP_RUNS; repeat++) fastestMs = Math.min(fastestMs, meanStepMs())
  return { stepNs: fastestMs * 1e6 }
}

function meanStepMs(): number {
  let spentMs = 0
  let inputs = 0
  const watched: typeof step = (state, input) => {
    const startedMs = performance.now()
    const effects = step(state, input)
    spentMs += performance.now() - startedMs
    inputs += 1
    return effects
  }
  const scenario = { ...DEFAULT_SCENARIO, validators: 16, rate: 50, latency: 'lan', warmUpMs: 100 } as const
  const run = new ScaleRun({ ...scenario, measuredMs: 900 }, DEFAULT_COSTS, watched)
  while (run.advance(10_000));
  return spentMs / Math.max(1, inputs)
}

/** Significant digits of a measured time, the precision of the measurement. */
const DIGITS = 3

/** Costs of this machine: measured ones, and the others from the table. */
export async function measureCosts(): Promise<Costs> {
  const measured = {
    ...(await measureBls()),
    ...(await measureTransactions()),
    ...measureCodec(),
    ...(await measureIo()),
    ...measureStep(),
  }
  const known: Partial<Costs> = measured
  return costsOf(({ name, fallback }) => Math.round(Number((known[name] ?? fallback).toPrecision(DIGITS))))
}
