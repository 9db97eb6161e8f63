/**
 * Owns the benchmark of proofs about calls: time to create and verify one by relation and list length, alone and in a
 * batch of 16, and the latency of transfers while blocks are full of proof work.
 */

import { buildTransaction, CausewayClient, signTransaction } from '../../src/client/index.js'
import {
  admissionKey,
  type Claim,
  conferenceKeyBlob,
  memberKey,
  memberOf,
  nullifierOf,
  proofBytes,
  proveListedJoin,
  proveRoster,
  proveSignal,
  proveUsage,
  ROSTER_CIRCUIT,
  type Statement,
  usageBlinding,
  usageCommitment,
  verifyClaim,
  verifyClaims,
} from '../../src/crypto/circuits/conference/index.js'
import { hash } from '../../src/crypto/index.js'
import { rosterRootOf } from '../../src/features/conference/schema/hashes.js'
import { instructions as conference } from '../../src/features/conference/schema/instructions.js'
import { type Instruction, instruction, keyBytes, keyCommitment, NO_METADATA } from '../../src/model/index.js'
import { accountsOf, fundAccounts, idOf, type Prepared, prepareTransfers } from './load.js'
import { type BenchNetwork, startNetwork, stopNetwork } from './localnet.js'
import { sleep } from './measure.js'
import { latency } from './network.js'
import { median } from './quantile.js'

const ROUNDS = Number(process.env['BENCH_PROOF_ROUNDS'] ?? 12)
const BATCH = 16
const LISTS = [2, 16, 64, 256]
/** Transfers per second, and seconds of warm-up and measurement. */
const RATE = Number(process.env['BENCH_PROOF_RATE'] ?? 100)
const WARM_SECONDS = 5
const LATENCY_SECONDS = 15
/** Joins per transaction: 300 of the 512 units of a block, one transaction per block or two. */
const JOINS = 25
const PROOF_INTERVAL_MS = 500
const PROOF_TRANSACTIONS = ((WARM_SECONDS + LATENCY_SECONDS) * 1000) / PROOF_INTERVAL_MS

const PLACE = { chain: 'bench', call: 'bank:bench' }
const bytes32 = (text: string): Buffer => hash('bench', Buffer.from(text))
const keyOf = (at: number): Buffer => memberKey(bytes32(`wallet ${at}`), 'ed25519')
const shared = {
  ...PLACE,
  submitter: bytes32('submitter'),
  vkHash: bytes32('key'),
  rosterRoot: bytes32('roster'),
  session: 0,
}

function openJoin(at: number): Claim {
  const member = memberOf(keyOf(at), PLACE, 0)
  const nullifier = nullifierOf(member, PLACE, 0)
  const statement: Statement = { ...shared, relation: 'openJoin', commitment: member.commitment, nullifier }
  return { statement, proof: proveRoster(statement, member, { key: keyOf(at) }) }
}
function listedJoin(at: number, keys: readonly Buffer[]): Claim {
  const member = memberOf(keyOf(at), PLACE, 0)
  const statement: Statement = {
    ...shared,
    relation: 'listedJoin',
    admissionRoot: bytes32('list'),
    admissionCount: keys.length,
    commitment: member.commitment,
    nullifier: nullifierOf(member, PLACE, 0),
  }
  return { statement, keys, proof: proveListedJoin(statement, member, keys, { key: keyOf(at) }) }
}
function usage(segment: number): Claim {
  const rho = usageBlinding(keyOf(0), PLACE, segment)
  const commitment = usageCommitment(60_000n, 5n, rho)
  const { rosterRoot: _, session: __, ...rest } = shared
  const statement: Statement = { ...rest, relation: 'usage', durationMs: 60_000n, billedGas: 5n, segment, commitment }
  return { statement, proof: proveUsage(statement, rho, { key: keyOf(0) }) }
}
function signal(at: number): Claim {
  const member = memberOf(keyOf(at), PLACE, 0)
  const { commitment } = member
  const statement: Statement = { ...shared, relation: 'signal', bodyHash: bytes32('body'), commitment }
  return { statement, proof: proveSignal(statement, member, { key: keyOf(at) }) }
}

function timed<T>(work: () => T): { readonly ms: number; readonly value: T } {
  const started = performance.now()
  const value = work()
  return { ms: performance.now() - started, value }
}
const rounded = (ms: number): number => Math.round(ms * 100) / 100

/** Medians in ms on one thread; keys of lists are decoded before. */
function relation(prove: (at: number) => Claim) {
  prove(0)
  const made = Array.from({ length: Math.max(ROUNDS, BATCH) }, (_, at) => timed(() => prove(at)))
  const claims = made.map(({ value }) => value)
  for (const claim of claims.slice(0, 2)) verifyClaim(claim)
  const alone = claims.slice(0, ROUNDS).map((claim) => timed(() => verifyClaim(claim)))
  if (alone.some(({ value }) => value !== 'proven')) throw new Error('an honest proof is proven')
  const batches = Array.from({ length: 5 }, () => timed(() => verifyClaims(claims.slice(0, BATCH))).ms / BATCH)
  return {
    bytes: claims[0]?.proof.length ?? 0,
    proveMs: rounded(median(made.map(({ ms }) => ms))),
    verifyMs: rounded(median(alone.map(({ ms }) => ms))),
    eachOfBatchMs: rounded(median(batches)),
  }
}

/** Signed transactions full of joins, each of a separate call, which is created first. */
async function proofTransactions({ target }: BenchNetwork): Promise<readonly Prepared[]> {
  const { chain, codec, admin, domain } = target
  const submitter = idOf(admin)
  const sign = async (instructions: readonly Instruction[]): Promise<Prepared> => {
    const draft = buildTransaction({ chain, authority: submitter, instructions, codec, ttlMs: 600_000 })
    const { id, bytes } = await signTransaction(draft, admin)
    return { id: Buffer.from(id).toString('hex'), bytes }
  }
  const client = new CausewayClient({ gateway: target.gateways[0] ?? '' })
  const names = Array.from({ length: PROOF_TRANSACTIONS }, (_, at) => `bench-${at}`)
  await client.submitTransaction((await sign(names.map((name) => createCall(domain, name)))).bytes)
  await sleep(3_000)
  await client.close()
  const vkHash = keyCommitment(conferenceKeyBlob(ROSTER_CIRCUIT))
  const rosterRoot = rosterRootOf([])
  const records: Prepared[] = []
  for (const name of names) {
    const place = { chain, call: `${domain}:${name}` }
    const joins = Array.from({ length: JOINS }, (_, at): Instruction => {
      const member = memberOf(keyOf(at), place, 0)
      const nullifier = nullifierOf(member, place, 0)
      const { commitment } = member
      const statement: Statement = {
        relation: 'openJoin',
        ...place,
        submitter: keyBytes(submitter),
        vkHash,
        rosterRoot,
        session: 0,
        commitment,
        nullifier,
      }
      const proof = { vkHash, bytes: proveRoster(statement, member, { key: keyOf(at) }) }
      const more = { participant: undefined, admissionRoot: undefined, session: 0, rosterRoot }
      return instruction(conference.joinConference, { call: place.call, commitment, nullifier, proof, ...more })
    })
    records.push(await sign(joins))
  }
  return records
}

const createCall = (domain: string, name: string): Instruction =>
  instruction(conference.createConference, {
    domain,
    name,
    title: undefined,
    description: undefined,
    maxParticipants: undefined,
    gasRatePerMinute: 0n,
    metadata: NO_METADATA,
    scheduledStartMs: undefined,
    billingAccount: undefined,
    privacyMode: 'zkRosterV1',
    roomPolicy: 'authenticated',
    admission: 'open',
    admissionKeys: [],
    relayManifest: undefined,
  })

/** Latency of transfers without proofs, and with 300 units of proof work twice per second. */
async function transfersBesideProofs() {
  const network = await startNetwork()
  try {
    const accounts = accountsOf(500, 'proofs')
    await fundAccounts(network.target, accounts)
    const count = RATE * (WARM_SECONDS + LATENCY_SECONDS)
    const transfers = await prepareTransfers(network.target, accounts, 2 * count)
    const proofs = await proofTransactions(network)
    const without = await latency(network, transfers.slice(0, count), RATE, WARM_SECONDS)
    const clients = network.target.gateways.map((gateway) => new CausewayClient({ gateway }))
    let sent = 0
    const timer = setInterval(() => {
      const record = proofs[sent]
      if (record === undefined) return clearInterval(timer)
      sent += 1
      clients[sent % clients.length]?.submitTransaction(record.bytes).catch((error: unknown) => {
        process.stderr.write(`a transaction with proofs: ${String(error)}\n`)
      })
    }, PROOF_INTERVAL_MS)
    const beside = await latency(network, transfers.slice(count), RATE, WARM_SECONDS)
    clearInterval(timer)
    const states = await Promise.all(proofs.slice(0, sent).map(({ id }) => clients[0]?.transactionStatus(id)))
    const approved = states.filter((one) => one?.state === 'approved').length
    await Promise.all(clients.map((client) => client.close()))
    return { without, beside, p99Ratio: rounded(beside.p99Ms / without.p99Ms), proofTransactions: { sent, approved } }
  } finally {
    await stopNetwork(network)
  }
}

export async function benchProofs() {
  const keys = Array.from({ length: 256 }, (_, at) => admissionKey(keyOf(at), PLACE))
  const listed = Object.fromEntries(
    LISTS.map((count) => [`listed ${count}`, relation((at) => listedJoin(at % count, keys.slice(0, count)))]),
  )
  if (proofBytes('listedJoin', 64) !== 736) throw new Error('lengths are those of docs/concepts/conference.md')
  return {
    relations: { 'open join': relation(openJoin), ...listed, usage: relation(usage), signal: relation(signal) },
    transfers: await transfersBesideProofs(),
  }
}
