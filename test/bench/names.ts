/**
 * Owns the benchmark of names: plain transfers beside 100,000 names in the executor and on a network, state per name,
 * and the verification of 256 versions.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { CausewayClient, verifyStateRecord } from '../../src/client/index.js'
import { verifyNameProof } from '../../src/client/name-proof.js'
import { InlineCrypto } from '../../src/crypto/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { stateProofRoute } from '../../src/features/explorer/schema/routes.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'
import { COMMITMENT_MIN_MS, commitmentOf, DEFAULT_POLICY } from '../../src/features/names/schema/records.js'
import { proofRoute } from '../../src/features/names/schema/routes.js'
import { type AccountId, hashOfHeader, type Instruction, instruction } from '../../src/model/index.js'
import { rowKeyBytes } from '../../src/state/index.js'
import type { Bench } from '../support/executor.js'
import * as desk from '../support/names.js'
import { rowsOf } from '../support/nodes.js'
import { PER_BLOCK, payers, TransferBlocks, transferWorld } from './executor.js'
import { accountsOf, fundAccounts, idOf } from './load.js'
import { startNetwork, stopNetwork } from './localnet.js'
import { benchTransfersBesideNames } from './names-network.js'
import { median } from './quantile.js'

const ACCOUNTS = 2_000
const NAMES = 100_000
const SIZED_NAMES = 10_000
/** Leases of one account: the maximum that a policy allows. */
const PER_ACCOUNT = 1_000
/** Default of `state.tree_bits`. */
const TREE_BITS = 18
const WARM_BLOCKS = 20
/** Pairs of blocks, one on each state. */
const PAIRS = Number(process.env['BENCH_NAMES_PAIRS'] ?? 100)
const VERSIONS = 256
const VERIFICATIONS = 60
const SALT = Buffer.alloc(32, 1)

const commit = (chain: string, domain: string, account: AccountId, label: string): Instruction =>
  instruction(names.commitName, {
    commitment: commitmentOf({ chain, account, name: { domain, label }, owner: account, salt: SALT }),
  })
const register = (domain: string, owner: AccountId, label: string): Instruction =>
  instruction(names.registerName, {
    domain,
    label,
    owner,
    account: owner,
    years: 1,
    salt: SALT,
    maxPrice: undefined,
  })
const leasePolicy = (domain: string): Instruction =>
  instruction(names.setNamePolicy, {
    domain,
    policy: { ...DEFAULT_POLICY, mode: 'leased', maxPerAccount: PER_ACCOUNT },
    version: 1,
  })

/** Lease names of the domain `bank` to existing accounts, as many each as a policy allows. */
function leaseNames(bench: Bench, accounts: readonly AccountId[], count: number): void {
  bench.genesis(accounts[0] as AccountId, leasePolicy('bank'))
  for (let at = 0; at < count; at += 1) {
    const [account, label] = [accounts[Math.floor(at / PER_ACCOUNT)] as AccountId, `holder${at}`]
    for (const step of [desk.commit(account, label), desk.register(label, account)]) {
      const code = bench.run(account, step)
      if (code !== undefined) throw new Error(`a lease was rejected: ${code}`)
      bench.timeMs += COMMITMENT_MIN_MS
    }
    bench.events.length = 0
  }
}

/** Bytes of all rows added by leases, including keys, per name. */
async function stateBytes(): Promise<number> {
  const accounts = payers(SIZED_NAMES / PER_ACCOUNT)
  const bytesWith = async (count: number): Promise<number> => {
    let bytes = 0
    const measure = (bench: Bench): void => {
      if (count > 0) leaseNames(bench, accounts, count)
      for (const { row, bytes: value } of rowsOf(bench.state)) bytes += rowKeyBytes(row).length + (value?.length ?? 0)
    }
    await (await transferWorld({ accounts, abi: ABI_2, treeBits: TREE_BITS, more: measure })).close()
    return bytes
  }
  return ((await bytesWith(SIZED_NAMES)) - (await bytesWith(0))) / SIZED_NAMES
}

/** Transfers beside names and without, in alternating blocks of one process: medians in microseconds per transfer. */
async function transfersBesideNames() {
  const accounts = payers(ACCOUNTS)
  const worlds = await Promise.all(
    [0, NAMES].map((count) =>
      transferWorld({
        accounts,
        abi: ABI_2,
        treeBits: TREE_BITS,
        ...(count === 0 ? {} : { more: (bench: Bench) => leaseNames(bench, accounts, count) }),
      }),
    ),
  )
  const sides = worlds.map((state) => ({ blocks: new TransferBlocks(state, accounts, ABI_2), micros: [] as number[] }))
  for (let round = 0; round < WARM_BLOCKS + PAIRS; round += 1) {
    for (const { blocks, micros } of round % 2 === 0 ? sides : sides.toReversed()) {
      const { execute, prepare, index } = await blocks.next()
      if (round >= WARM_BLOCKS) micros.push(((execute + prepare + index) * 1_000) / PER_BLOCK)
    }
  }
  for (const state of worlds) await state.close()
  const [without = Number.NaN, beside = Number.NaN] = sides.map(({ micros }) => median(micros))
  return { names: NAMES, withoutMicros: without, besideMicros: beside, rateRatio: without / beside }
}

/** Median processor time of a verification, in ms. Throws if it fails. */
async function verificationMs(verify: () => Promise<{ readonly ok: boolean }>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < VERIFICATIONS; round += 1) {
    const before = process.cpuUsage()
    const { ok } = await verify()
    times.push(process.cpuUsage(before).user / 1_000)
    if (!ok) throw new Error('a proof of the network does not verify')
  }
  return median(times)
}

/** Proofs from a network: one record of the state, and a name with 256 versions down to its first height. */
async function proofsOfVersions() {
  const network = await startNetwork()
  const crypto = await InlineCrypto.create()
  try {
    const { gateways, admin, domain, chain } = network.target
    const client = new CausewayClient({ gateway: gateways[0] ?? '', signer: admin })
    const account = idOf(admin)
    const send = async (one: Instruction): Promise<number> => {
      const { state, height } = await client.transactAndWait([one])
      if (state !== 'approved' || height === undefined) throw new Error(`a transaction about a name is ${state}`)
      return height
    }
    const others = accountsOf(1, 'names')
    await fundAccounts(network.target, others)
    const targets = [account, (await others.at(0)).id]
    await send(leasePolicy(domain))
    await send(commit(chain, domain, account, 'history'))
    await sleep(COMMITMENT_MIN_MS)
    const first = await send(register(domain, account, 'history'))
    const name = `history@${domain}`
    for (let version = 1; version < VERSIONS; version += 1)
      await send(instruction(names.setNameAccount, { name, account: targets[version % 2] as AccountId }))
    const proof = await client.route(proofRoute, { params: { name }, query: { at: first } })
    const key = JSON.stringify({ domain, label: 'history' })
    const record = await client.route(stateProofRoute, { query: { table: 'names', key } })
    await client.close()
    const genesisHash = hashOfHeader(proof.finality.genesisHeader)
    const stateProofMs = await verificationMs(() => verifyStateRecord(record, genesisHash, crypto))
    const versionsMs = await verificationMs(() => verifyNameProof(proof, genesisHash, crypto))
    const versions = 1 + (proof.names[0]?.versions.length ?? 0)
    return { versions, stateProofMs, versionsMs, ratio: versionsMs / stateProofMs }
  } finally {
    await crypto.close()
    await stopNetwork(network)
  }
}

/** Run the benchmark. */
export async function benchNames() {
  return {
    transfers: await transfersBesideNames(),
    network: await benchTransfersBesideNames(),
    stateBytesPerName: Math.round(await stateBytes()),
    proof: await proofsOfVersions(),
  }
}
