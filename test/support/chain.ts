/** Owns a small synthetic chain for tests: keys, genesis, signed transactions. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CodecContext } from '../../src/codec/index.js'
import { createPop } from '../../src/crypto/bls-pop.js'
import { generateKeyPair, type KeyPair, signEd25519 } from '../../src/crypto/index.js'
import type { Abi } from '../../src/executor/index.js'
import { ABI_1 } from '../../src/features/abi.js'
import { instructions as accountInstructions } from '../../src/features/accounts/schema.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../src/features/domains/schema.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  type ConsensusMode,
  type GenesisPayload,
  type Instruction,
  instruction,
  keyString,
  type Metadata,
  NO_METADATA,
  type Peer,
  sealTransaction,
  signedHash,
} from '../../src/model/index.js'
import { signGenesis } from '../../src/node/chain/genesis.js'

export const CHAIN = 'test-chain'
export const GENESIS_TIME_MS = 1_760_000_000_000
export const DEFINITION = 'usd#bank'
export const codec = ABI_1.codec('cw')

/** Account with its key. */
export interface TestAccount {
  readonly id: AccountId
  readonly pair: KeyPair
}

export async function testAccount(seed: string): Promise<TestAccount> {
  const pair = await generateKeyPair('ed25519', Buffer.from(seed))
  return { id: accountOfKey(accountKeyOf('ed25519', pair.publicKey.bytes)), pair }
}

/** Validator with both keys. */
export interface TestPeer {
  readonly bls: KeyPair
  readonly network: KeyPair
  readonly peer: Peer
}

/** Cached proofs of possession by public key: creating one takes longer than most tests that need it. */
const pops = new Map<string, Buffer>()

/** The proof of possession of a BLS key pair. */
export function popOf(pair: KeyPair): Buffer {
  const key = keyString(pair.publicKey.bytes)
  const pop = pops.get(key) ?? createPop(pair.secret)
  pops.set(key, pop)
  return pop
}

export async function testPeer(index: number, addresses: readonly string[] = []): Promise<TestPeer> {
  const bls = await generateKeyPair('bls', Buffer.from(`validator ${index}`))
  const network = await generateKeyPair('ed25519', Buffer.from(`network ${index}`))
  return {
    bls,
    network,
    peer: {
      key: keyString(bls.publicKey.bytes),
      pop: popOf(bls),
      networkKey: keyString(network.publicKey.bytes),
      addresses,
      role: 'validator',
    },
  }
}

/** Signed genesis with `usd#bank` minted to the given accounts; the admin owns the domain. */
export async function testGenesis(options: {
  readonly peers: readonly TestPeer[]
  readonly accounts: readonly TestAccount[]
  readonly amount?: bigint
  readonly extra?: readonly Instruction[]
  /** Encoded values by name. */
  readonly parameters?: ReadonlyMap<string, Uint8Array>
  /** ABI of genesis; default: ABI 1. */
  readonly abi?: Abi
  readonly mode?: ConsensusMode
}) {
  const admin = await testAccount('genesis')
  const genesisKey = admin.pair
  const { accounts, amount = 1_000_000n, abi = ABI_1, mode = 'permissioned' } = options
  const instructions: Instruction[] = [
    instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }),
    instruction(accountInstructions.registerAccount, {
      id: admin.id,
      domain: 'bank',
      label: 'admin',
      metadata: NO_METADATA,
    }),
    instruction(assets.registerAssetDefinition, {
      id: DEFINITION,
      scale: 2,
      mintable: { kind: 'infinitely', value: undefined },
      metadata: NO_METADATA,
    }),
  ]
  for (const [index, account] of accounts.entries()) {
    instructions.push(
      instruction(accountInstructions.registerAccount, {
        id: account.id,
        domain: 'bank',
        label: `user${index}`,
        metadata: NO_METADATA,
      }),
      instruction(assets.mint, {
        asset: { definition: DEFINITION, account: account.id },
        amount: { mantissa: amount, scale: 0 },
      }),
    )
  }
  const payload: GenesisPayload = {
    chain: CHAIN,
    addressPrefix: 'cw',
    consensusMode: mode,
    createdAtMs: GENESIS_TIME_MS,
    genesisKey: keyString(genesisKey.publicKey.bytes),
    abi: abi.number,
    parameters: new Map(options.parameters),
    topology: options.peers.map((one) => one.peer),
    instructions: [...instructions, ...(options.extra ?? [])],
    features: new Map(),
  }
  const signed = await signGenesis(abi, payload, (message) => signEd25519(genesisKey.secret, message))
  return { ...signed, admin, payload }
}

let nonce = 0

/** Signed transaction of one account. */
export function signedBy(
  account: TestAccount,
  instructions: readonly Instruction[],
  createdAtMs: number,
  ttlMs = 100_000,
  context: CodecContext = codec,
  metadata: Metadata = NO_METADATA,
) {
  nonce += 1
  const { id, bytes } = sealTransaction(
    {
      chain: CHAIN,
      authority: account.id,
      createdAtMs,
      ttlMs,
      nonce,
      executable: { kind: 'instructions', value: instructions },
      metadata,
      dataspace: undefined,
    },
    context,
    accountKeyOf('ed25519', account.pair.publicKey.bytes),
    (message) => signEd25519(account.pair.secret, message),
  )
  return { id, bytes, signedHash: signedHash(bytes) }
}

/** Transfer of whole units. */
export const transferOf = (from: AccountId, to: AccountId, amount: bigint): Instruction =>
  instruction(assets.transfer, {
    asset: { definition: DEFINITION, account: from },
    to,
    amount: { mantissa: amount, scale: 0 },
  })

/** Folder that is removed after the test. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'causeway-test-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
