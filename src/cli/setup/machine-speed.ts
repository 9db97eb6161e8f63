/** Owns benchmarks of the two most expensive operations of a node on this machine: the codec, and BLS signatures. */
import { randomBytes } from 'node:crypto'
import { buildTransaction, clientCodec, generateKeyPair, signTransaction } from '../../client/index.js'
import { type CodecContext, lazyOf } from '../../codec/index.js'
import { loadBls } from '../../crypto/index.js'
import {
  accountOfPair,
  DEFAULT_ADDRESS_PREFIX,
  formatAddress,
  instructionsOf,
  type SignedTransaction,
  signedTransaction,
  transactionPayload,
} from '../../model/index.js'
import { count } from '../text/figures.js'

/** Speed of one operation. */
export interface Speed {
  readonly name: string
  readonly perSecond: number
}

/** Speeds in the form of `--json`. */
export const speedsJson = (speeds: readonly Speed[]) =>
  speeds.map(({ name, perSecond }) => ({ name, per_second: Math.round(perSecond) }))
/** Speeds as rows of text. */
export const speedRows = (speeds: readonly Speed[]): [string, string][] =>
  speeds.map(({ name, perSecond }) => [name, `${count(perSecond)} a second`])

/** Measured operation. */
interface Operation {
  readonly name: string
  readonly run: () => unknown
}

/** Warm-up time for the compiler, as a share of the measuring time. */
const WARM_UP = 0.2
/** Size of the committee whose certificates are created and verified, and its quorum. */
const COMMITTEE = { members: 4, quorum: 3 }

/** Speed of encoding, decoding and validating one signed transfer. `eachMs`: duration of each measurement. */
export async function codecSpeed(eachMs: number): Promise<{ readonly bytes: number; readonly speeds: Speed[] }> {
  const codec = clientCodec(DEFAULT_ADDRESS_PREFIX)
  const pair = await generateKeyPair('ed25519')
  const authority = accountOfPair(pair)
  const account = formatAddress(authority, DEFAULT_ADDRESS_PREFIX)
  const transfer = { Transfer: { asset: { definition: 'eur#bank', account }, to: account, amount: '12.5' } }
  const instructions = instructionsOf([transfer], codec)
  const draft = buildTransaction({ chain: 'bench', authority, instructions, codec })
  const { bytes } = await signTransaction(draft, pair)
  const whole = decodedTransaction(bytes, codec)
  const json = signedTransaction.toJson(whole, codec)
  // A decoded payload keeps its bytes: encoding must begin with the value, and decoding end with it.
  const encode = (): Buffer =>
    signedTransaction.encode({ ...whole, payload: lazyOf(transactionPayload, draft.payload, codec) }, codec)
  const speeds = speedsOf(eachMs, [
    { name: 'encode', run: encode },
    { name: 'decode', run: () => decodedTransaction(bytes, codec).payload.value },
    { name: 'to JSON', run: () => signedTransaction.toJson(whole, codec) },
    { name: 'from JSON', run: () => signedTransaction.fromJson(json, codec) },
  ])
  return { bytes: bytes.length, speeds }
}

function decodedTransaction(bytes: Uint8Array, codec: CodecContext): SignedTransaction {
  const decoded = signedTransaction.decode(bytes, codec)
  if (!decoded.ok) throw new Error(`an own transaction does not decode: ${decoded.fault.message}`)
  return decoded.value
}

/** Speed of the BLS operations of a validator for each vote and certificate, on one thread. */
export async function blsSpeed(eachMs: number): Promise<{ readonly backend: string; readonly speeds: Speed[] }> {
  const bls = await loadBls()
  const message = randomBytes(32)
  const pairs = await Promise.all(Array.from({ length: COMMITTEE.members }, () => generateKeyPair('bls')))
  const signers = pairs.slice(0, COMMITTEE.quorum)
  const keys = signers.map((pair) => pair.publicKey.bytes)
  const signatures = signers.map((pair) => bls.sign(pair.secret, message))
  const [secret, key, signature] = [signers[0]!.secret, keys[0]!, signatures[0]!]
  const aggregate = bls.aggregate(signatures)
  if (aggregate === undefined) throw new Error('own signatures do not aggregate')
  const speeds = speedsOf(eachMs, [
    { name: 'sign', run: () => bls.sign(secret, message) },
    { name: 'verify', run: () => bls.verify(key, message, signature) },
    { name: `aggregate ${COMMITTEE.quorum}`, run: () => bls.aggregate(signatures) },
    { name: `verify certificate of ${COMMITTEE.quorum}`, run: () => bls.verifyAggregate(keys, message, aggregate) },
  ])
  return { backend: bls.name, speeds }
}

const speedsOf = (eachMs: number, operations: readonly Operation[]): Speed[] =>
  operations.map(({ name, run }) => {
    repeat(run, eachMs * WARM_UP)
    return { name, perSecond: repeat(run, eachMs) }
  })

/** Repeat an operation for a time; returns the rate per second. */
function repeat(run: () => unknown, forMs: number): number {
  const startedMs = performance.now()
  // The clock is read once per batch: a read costs as much as a small record. The batch grows until reads are rare.
  let batch = 1
  let times = 0
  for (;;) {
    for (let index = 0; index < batch; index += 1) run()
    times += batch
    const passedMs = performance.now() - startedMs
    if (passedMs >= forMs) return (times * 1_000) / passedMs
    if (passedMs * batch < times * BATCH_MS) batch = Math.min(BATCH_MAX, batch * 2)
  }
}

/** Target duration of a batch, in ms. */
const BATCH_MS = 1
/** Maximum runs per batch. */
const BATCH_MAX = 1_024
