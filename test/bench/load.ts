/** Owns the load on a network: accounts to pay from, signed transfers made beforehand, open-loop submission to all gateways. */
import { Agent, request } from 'undici'
import { TRANSACTION_FRAME } from '../../src/api/frames.js'
import { buildTransaction, CausewayClient, signTransaction } from '../../src/client/index.js'
import type { CodecContext } from '../../src/codec/index.js'
import { generateKeyPair, type KeyPair } from '../../src/crypto/index.js'
import { type AccountId, accountKeyOf, accountOfKey, type Instruction, NO_METADATA } from '../../src/model/index.js'

/** Registrations per preparing transaction: 100 x (register 200 + mint 150) stay below `max_teu_per_tx`. */
const REGISTER_PER_TRANSACTION = 100
/** Life of a prepared transaction, in ms: it may wait for its turn through a whole run. */
const LOAD_TTL_MS = 600_000
/** Requests under way per gateway: an open loop that the client's own sockets do not throttle. */
const CONNECTIONS_PER_GATEWAY = 32

export interface LoadAccount {
  readonly id: AccountId
  readonly pair: KeyPair
}

/** A signed transaction with its id. */
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

const idOf = (pair: KeyPair): AccountId => accountOfKey(accountKeyOf('ed25519', pair.publicKey.bytes))

/** Accounts of a load, made from a seed. */
export async function makeAccounts(count: number, seed: string): Promise<LoadAccount[]> {
  const accounts: LoadAccount[] = []
  for (let index = 0; index < count; index++) {
    const pair = await generateKeyPair('ed25519', Buffer.from(`${seed} ${index}`))
    accounts.push({ id: idOf(pair), pair })
  }
  return accounts
}

/** Transactions of the administrator that register and fund accounts. */
export async function prepareFunding(target: LoadTarget, accounts: readonly LoadAccount[]): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (let at = 0; at < accounts.length; at += REGISTER_PER_TRANSACTION) {
    const instructions = accounts.slice(at, at + REGISTER_PER_TRANSACTION).flatMap(({ id }): Instruction[] => [
      { kind: 'registerAccount', value: { id, domain: target.domain, label: undefined, metadata: NO_METADATA } },
      {
        kind: 'mint',
        value: { asset: { definition: target.definition, account: id }, amount: { mantissa: 1_000_000n, scale: 0 } },
      },
    ])
    prepared.push(await sealed(target, idOf(target.admin), target.admin, instructions))
  }
  return prepared
}

async function sealed(
  target: LoadTarget,
  authority: AccountId,
  pair: KeyPair,
  instructions: readonly Instruction[],
): Promise<Prepared> {
  const { chain, codec } = target
  const signed = await signTransaction(
    buildTransaction({ chain, authority, instructions, ttlMs: LOAD_TTL_MS, codec }),
    pair,
  )
  return { id: signed.id.toString('hex'), bytes: signed.bytes }
}

/** Registers and funds accounts, and waits until they are committed. */
export async function fundAccounts(target: LoadTarget, accounts: readonly LoadAccount[]): Promise<void> {
  const client = new CausewayClient({ gateway: target.gateways[0] ?? '' })
  const before = (await client.status()).txsApproved
  const prepared = await prepareFunding(target, accounts)
  for (const one of prepared) await client.submitTransaction(one.bytes)
  while ((await client.status()).txsApproved < before + prepared.length) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await client.close()
}

/** Signs transfers between random pairs of the accounts. */
export async function prepareTransfers(
  target: LoadTarget,
  accounts: readonly LoadAccount[],
  count: number,
): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (let index = 0; index < count; index++) {
    const from = accounts[index % accounts.length] as LoadAccount
    const to = accounts[(index * 7 + 1) % accounts.length] as LoadAccount
    const receiver = to.id === from.id ? (accounts[(index + 1) % accounts.length] as LoadAccount) : to
    const asset = { definition: target.definition, account: from.id }
    const value = { asset, to: receiver.id, amount: { mantissa: 1n, scale: 0 } }
    prepared.push(await sealed(target, from.id, from.pair, [{ kind: 'transfer', value }]))
  }
  return prepared
}

/** What was sent when; refused ones are counted, not sent again. */
export interface Sent {
  readonly atMs: Map<string, number>
  readonly refused: Map<number, number>
}

/** Sends at a steady rate, round robin over the gateways, whatever the answers take; rate 0: as fast as they are taken. */
export async function send(
  target: Pick<LoadTarget, 'gateways'>,
  prepared: readonly Prepared[],
  ratePerSecond: number,
): Promise<Sent> {
  const agent = new Agent({ connections: CONNECTIONS_PER_GATEWAY, pipelining: 1 })
  const sent: Sent = { atMs: new Map(), refused: new Map() }
  const started = performance.now()
  const post = async (one: Prepared, index: number): Promise<void> => {
    // The wall clock: other processes compare it with theirs.
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
