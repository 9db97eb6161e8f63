/**
 * Owns the entry point of a crypto thread: own signatures first, then checks for peers, then payments; one transferred
 * buffer per response.
 */
import { parentPort } from 'node:worker_threads'
import { errorMessage } from '../base/thrown.js'
import { InlineCrypto, type VerifyItem } from './service.js'
import {
  type CryptoRequest,
  type CryptoResponse,
  copyOf,
  packBytes,
  unpackAggregates,
  unpackBytes,
  unpackGroups,
  unpackItems,
} from './worker-protocol.js'

const port = parentPort
if (port === null) throw new Error('the crypto worker must be started by the crypto pool')

const ready = InlineCrypto.create()
const result = (value: boolean): Buffer => Buffer.of(value ? 1 : 0)

/**
 * Signatures of one batch verified between checks for new requests: about 1 ms, so that a vote never waits for a whole
 * block of payments.
 */
const SLICE_ITEMS = 24

/** Operations for peers and clients: checks of their messages, receipts for their submissions. */
const FOR_OTHERS: ReadonlySet<CryptoRequest['operation']> = new Set([
  'blsVerifyMulti',
  'blsVerifyAggregates',
  'ed25519SignBatch',
])

/** Batch in progress. */
interface Batch {
  readonly id: number
  readonly items: readonly VerifyItem[]
  readonly results: boolean[]
}

/** Signatures and aggregates of this node, including key additions: peers cannot delay them. */
const own: CryptoRequest[] = []
/** Single checks, which consensus waits for, and receipts; they precede the batches. */
const checks: CryptoRequest[] = []
const batches: Batch[] = []
let running = false

async function answer(crypto: InlineCrypto, request: CryptoRequest): Promise<Uint8Array[]> {
  switch (request.operation) {
    case 'addBlsKey':
    case 'addEd25519Key': {
      const [name, secret] = unpackBytes(request.packed)
      crypto[request.operation](name!.toString('utf8'), secret!)
      secret!.fill(0)
      return []
    }
    case 'blsSign': {
      const [name, ...messages] = unpackBytes(request.packed)
      return crypto.blsSign(name!.toString('utf8'), messages)
    }
    case 'ed25519SignBatch': {
      const [name, ...messages] = unpackBytes(request.packed)
      return crypto.ed25519SignBatch(name!.toString('utf8'), messages)
    }
    case 'blsVerifyMulti': {
      const { groups, signature } = unpackGroups(request.packed)
      return [result(await crypto.blsVerifyMulti(groups, signature))]
    }
    case 'blsVerifyAggregates':
      return [result(await crypto.blsVerifyAggregates(unpackAggregates(request.packed)))]
    case 'blsAggregate': {
      const sum = await crypto.blsAggregate(unpackBytes(request.packed))
      return sum === undefined ? [] : [sum]
    }
    case 'blsAggregateVerified': {
      // Packed like a check whose signature is the list to aggregate.
      const { groups, signature } = unpackGroups(request.packed)
      const { publicKeys, message } = groups[0]!
      const sum = await crypto.blsAggregateVerified(unpackBytes(copyOf(signature)), publicKeys, message)
      return sum === undefined ? [] : [sum]
    }
    case 'verifyBatch':
      throw new Error('batches must be verified in slices')
  }
}

function reply(id: number, parts: readonly Uint8Array[]): void {
  const packed = packBytes(parts)
  const response: CryptoResponse = { id, packed }
  port?.postMessage(response, [packed])
}

function fail(id: number, error: unknown): void {
  const response: CryptoResponse = { id, error: errorMessage(error) }
  port?.postMessage(response)
}

/** Process one request of the node itself, else one check, else one slice of the oldest batch. */
async function work(crypto: InlineCrypto): Promise<void> {
  const request = own.shift() ?? checks.shift()
  if (request !== undefined) {
    await answer(crypto, request).then(
      (parts) => reply(request.id, parts),
      (error: unknown) => fail(request.id, error),
    )
    return
  }
  const batch = batches[0]
  if (batch === undefined) return
  const from = batch.results.length
  batch.results.push(...(await crypto.verifyBatch(batch.items.slice(from, from + SLICE_ITEMS))))
  if (batch.results.length < batch.items.length) return
  batches.shift()
  reply(batch.id, [Buffer.from(batch.results.map(Number))])
}

/** Process requests until none is left, accepting new ones in between. */
async function run(): Promise<void> {
  const crypto = await ready
  while (own.length > 0 || checks.length > 0 || batches.length > 0) {
    // Arrived requests are read before the next step, so that own requests can go first.
    await new Promise((resolve) => setImmediate(resolve))
    await work(crypto)
  }
  running = false
}

port.on('message', (request: CryptoRequest) => {
  try {
    if (request.operation === 'verifyBatch') {
      batches.push({ id: request.id, items: unpackItems(request.packed), results: [] })
    } else {
      const queue = FOR_OTHERS.has(request.operation) ? checks : own
      queue.push(request)
    }
  } catch (error) {
    return fail(request.id, error)
  }
  if (running) return
  running = true
  void run()
})
