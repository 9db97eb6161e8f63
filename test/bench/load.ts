/** Owns the load on a network: paying accounts, transfers signed in advance, open-loop submission to all gateways. */

import { Agent, request } from 'undici'
import { TRANSACTION_FRAME } from '../../src/api/frames.js'
import { buildTransaction, CausewayClient, signTransaction } from '../../src/client/index.js'
import type { CodecContext } from '../../src/codec/index.js'
import { ed25519Signer, generateKeyPair, type KeyPair, type SigningKey } from '../../src/crypto/index.js'
import { instructions as accountInstructions } from '../../src/features/accounts/schema.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  type Instruction,
  instruction,
  NO_METADATA,
} from '../../src/model/index.js'

/** Registrations per preparing transaction: 100 x (register 200 + mint 150) stay below `max_teu_per_tx`. */
const REGISTER_PER_TRANSACTION = 100
/** Number of accounts funded at once. */
const FUNDED_AT_ONCE = 20_000
/** Lifetime of a prepared transaction, in ms: it may wait through a whole run. */
const LOAD_TTL_MS = 600_000
/** Requests in flight per gateway, so that the client's own sockets do not throttle the open loop. */
const CONNECTIONS_PER_GATEWAY = 32

export interface LoadAccount<Key = SigningKey> {
  readonly id: AccountId
  readonly pair: Key
}

/** Signed transaction with its id. */
export interface Prepared {
  readonly id: string
  readonly bytes: Uint8Array
}

export interface LoadTarget {
  readonly gateways: readonly string[]
  readonly chain: string
  readonly codec: CodecContext
  readonly definition: string
  readonly domain: string
  readonly admin: KeyPair
}

/** Account of a key. */
export const idOf = (pair: SigningKey): AccountId => accountOfKey(accountKeyOf('ed25519', pair.publicKey.bytes))

/** Accounts of a load, derived from a seed on demand, so that a million of them needs no memory. */
export interface LoadAccounts<Key = SigningKey> {
  readonly count: number
  at(index: number): Promise<LoadAccount<Key>>
}

export const accountsOf = (count: number, seed: string): LoadAccounts<KeyPair> => ({
  count,
  async at(index) {
    const pair = await generateKeyPair('ed25519', Buffer.from(`${seed} ${index}`))
    return { id: idOf(pair), pair }
  },
})

/** The same accounts, each created once with a prepared signing key: a quarter of the time for repeated payers. */
export function heldAccounts({ count, at }: LoadAccounts<KeyPair>): LoadAccounts {
  const held: (LoadAccount | undefined)[] = []
  const make = async (index: number): Promise<LoadAccount> => {
    const { id, pair } = await at(index)
    const signer = ed25519Signer(pair.secret)
    return { id, pair: { publicKey: pair.publicKey, sign: async (message) => signer.sign(message) } }
  }
  return {
    count,
    async at(index) {
      const account = held[index] ?? (await make(index))
      held[index] = account
      return account
    },
  }
}

/** Draw the index of an account. */
export type Draw = () => number

/** Uniform choice of accounts; xorshift32, so that a run can be repeated. */
export function uniformPick(count: number): Draw {
  let state = 0x9e3779b9
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % count
  }
}

/** Skewed choice of accounts: the weight of rank r is 1 / r^exponent. */
export function zipfPick(count: number, exponent: number): Draw {
  const cumulative = new Float64Array(count)
  let sum = 0
  for (let rank = 1; rank <= count; rank++) {
    sum += 1 / rank ** exponent
    cumulative[rank - 1] = sum
  }
  const draw = uniformPick(2 ** 31)
  return () => {
    const wanted = (draw() / 2 ** 31) * sum
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((cumulative[middle] as number) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Transactions of the administrator that register and fund accounts. */
export async function prepareFunding(
  target: LoadTarget,
  accounts: LoadAccounts,
  range: { readonly from: number; readonly to: number } = { from: 0, to: accounts.count },
): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (let first = range.from; first < range.to; first += REGISTER_PER_TRANSACTION) {
    const instructions: Instruction[] = []
    for (let index = first; index < Math.min(first + REGISTER_PER_TRANSACTION, range.to); index++) {
      const { id } = await accounts.at(index)
      const asset = { definition: target.definition, account: id }
      instructions.push(
        instruction(accountInstructions.registerAccount, {
          id,
          domain: target.domain,
          label: undefined,
          metadata: NO_METADATA,
        }),
        instruction(assets.mint, { asset, amount: { mantissa: 1_000_000n, scale: 0 } }),
      )
    }
    prepared.push(await sealed(target, idOf(target.admin), target.admin, instructions))
  }
  return prepared
}

/** Sign a transaction of one account. */
export async function sealed(
  target: LoadTarget,
  authority: AccountId,
  pair: SigningKey,
  instructions: readonly Instruction[],
): Promise<Prepared> {
  const { chain, codec } = target
  const signed = await signTransaction(
    buildTransaction({ chain, authority, instructions, ttlMs: LOAD_TTL_MS, codec }),
    pair,
  )
  return { id: signed.id.toString('hex'), bytes: signed.bytes }
}

/** Register and fund accounts, and wait until they are committed. */
export async function fundAccounts(
  target: LoadTarget,
  accounts: LoadAccounts,
  range: { readonly from: number; readonly to: number } = { from: 0, to: accounts.count },
): Promise<void> {
  const client = new CausewayClient({ gateway: target.gateways[0] ?? '' })
  for (let from = range.from; from < range.to; from += FUNDED_AT_ONCE) {
    const before = (await client.status()).txsApproved
    const prepared = await prepareFunding(target, accounts, { from, to: Math.min(from + FUNDED_AT_ONCE, range.to) })
    for (const one of prepared) await client.submitTransaction(one.bytes)
    while ((await client.status()).txsApproved < before + prepared.length) {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await client.close()
}

/** Sign transfers of one unit between drawn accounts. */
export async function prepareTransfers(
  target: LoadTarget,
  accounts: LoadAccounts,
  count: number,
  pick: Draw = uniformPick(accounts.count),
): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (let made = 0; made < count; made++) {
    const fromIndex = pick()
    const drawn = pick()
    const from = await accounts.at(fromIndex)
    const to = await accounts.at(drawn === fromIndex ? (fromIndex + 1) % accounts.count : drawn)
    const asset = { definition: target.definition, account: from.id }
    const value = { asset, to: to.id, amount: { mantissa: 1n, scale: 0 } }
    prepared.push(await sealed(target, from.id, from.pair, [instruction(assets.transfer, value)]))
  }
  return prepared
}

/** Submission times; refused transactions are counted, not sent again. */
export interface Sent {
  readonly atMs: Map<string, number>
  readonly refused: Map<number, number>
}

/**
 * Send at a steady rate, round robin over the gateways, independent of response times; rate 0: as fast as they are
 * accepted.
 */
export async function send(
  target: Pick<LoadTarget, 'gateways'>,
  prepared: readonly Prepared[],
  ratePerSecond: number,
): Promise<Sent> {
  const agent = new Agent({ connections: CONNECTIONS_PER_GATEWAY, pipelining: 1 })
  const sent: Sent = { atMs: new Map(), refused: new Map() }
  const started = performance.now()
  const post = async (one: Prepared, index: number): Promise<void> => {
    // Wall clock time, which other processes can compare.
    sent.atMs.set(one.id, performance.timeOrigin + performance.now())
    const answer = await request(`${target.gateways[index % target.gateways.length]}/transaction`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/x-codec' },
      body: TRANSACTION_FRAME.wrap(one.bytes),
    })
    await answer.body.dump()
    if (answer.statusCode !== 202) sent.refused.set(answer.statusCode, (sent.refused.get(answer.statusCode) ?? 0) + 1)
  }
  if (ratePerSecond === 0) {
    let next = 0
    const lanes = Array.from({ length: CONNECTIONS_PER_GATEWAY * target.gateways.length }, async () => {
      for (let index = next++; index < prepared.length; index = next++) await post(prepared[index] as Prepared, index)
    })
    await Promise.all(lanes)
  } else {
    const under: Promise<void>[] = []
    for (const [index, one] of prepared.entries()) {
      const dueMs = started + (index * 1_000) / ratePerSecond
      const waitMs = dueMs - performance.now()
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
      under.push(post(one, index))
    }
    await Promise.all(under)
  }
  await agent.close()
  return sent
}
