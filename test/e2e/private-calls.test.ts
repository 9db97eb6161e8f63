/**
 * A network of real processes that started with release 0.1.0 comes to calls: its programs are replaced, its ABI is upgraded, its
 * verifying keys are set and withdrawn while payments go on, and its blocks hold as much proof work as they may.
 */

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTransaction, CausewayClient, ConferenceProver, signTransaction } from '../../src/client/index.js'
import { conferenceKeyBlob, ROSTER_CIRCUIT } from '../../src/crypto/circuits/conference/index.js'
import { generateKeyPair, type KeyPair } from '../../src/crypto/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { instructions as conference } from '../../src/features/conference/schema/instructions.js'
import { instructions as parameters } from '../../src/features/parameters/schema.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'
import { upgradeId, instructions as upgrades } from '../../src/features/upgrades/schema.js'
import { readKeyFile } from '../../src/files/key-file.js'
import {
  accountKeyOf,
  accountOfKey,
  type Instruction,
  instruction,
  LedgerError,
  NO_METADATA,
} from '../../src/model/index.js'
import { causewayHere } from '../cli/in-process.js'
import { ROOT } from '../cli/run.js'
import { getJson, TestNet, until } from './localnet.js'

const KEY = { backend: 'sigma-ristretto255', name: 'roster' }
const EUR = 'eur#bank'

let folder: string
let net: TestNet
let clients: CausewayClient[]
let keys: Record<'admin' | 'alice' | 'bob', KeyPair>

const idOf = (pair: KeyPair) => accountOfKey(accountKeyOf('ed25519', pair.publicKey.bytes))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-0.1.0-'))
  execFileSync('tar', ['xzf', join(ROOT, 'test/fixtures/release-0.1.0/causeway-0.1.0.tgz'), '-C', folder])
  await symlink(join(ROOT, 'node_modules'), join(folder, 'package', 'node_modules'))
  net = await TestNet.startOf(join(folder, 'package', 'bin', 'run.js'), 'iso-demo')
  // A network of 0.1.0 has no mark of this user.
  for (const words of [['down'], ['up', '--adopt', '--dir', net.folder]]) {
    const run = await causewayHere(['localnet', ...words], net.surroundings)
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 })
  }
  clients = net.gateways.map((gateway) => new CausewayClient({ gateway }))
  const names = ['admin', 'alice', 'bob'] as const
  const pairs = await Promise.all(names.map((name) => readKeyFile(net.keyFile(name))))
  keys = Object.fromEntries(names.map((name, at) => [name, pairs[at]])) as typeof keys
})
afterAll(async () => {
  for (const client of clients ?? []) await client.close()
  await TestNet.closeAll()
  await rm(folder, { recursive: true, force: true })
})

/** Code of what a transaction is refused or rejected with, and the height of its block. */
async function send(pair: KeyPair, instructions: readonly Instruction[], gateway = 0) {
  const client = clients[gateway] as CausewayClient
  const [{ chain }, codec] = await Promise.all([client.chain(), client.codec()])
  const draft = buildTransaction({ chain, authority: idOf(pair), instructions, codec })
  const { bytes, id } = await signTransaction(draft, pair)
  try {
    await client.submitTransaction(bytes)
  } catch (error) {
    if (error instanceof LedgerError) return { code: error.code as string | undefined, height: 0 }
    throw error
  }
  const { state, height = 0, rejection } = await client.waitTransaction(Buffer.from(id).toString('hex'))
  expect(['approved', 'rejected']).toContain(state)
  return { code: rejection?.code as string | undefined, height }
}
const sent = async (pair: KeyPair, ...instructions: Instruction[]): Promise<number> => {
  const { code, height } = await send(pair, instructions)
  expect(code).toBeUndefined()
  return height
}

const pay = (): Instruction =>
  instruction(assets.transfer, {
    asset: { definition: EUR, account: idOf(keys.alice) },
    to: idOf(keys.bob),
    amount: { mantissa: 1n, scale: 2 },
  })
const call = (name: string): Instruction =>
  instruction(conference.createConference, {
    domain: 'bank',
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
const key = (kind: 'registerVerifyingKey' | 'updateVerifyingKey', status: string, more: object = {}): Instruction => ({
  kind,
  value: {
    ...KEY,
    circuitId: ROSTER_CIRCUIT,
    blob: conferenceKeyBlob(ROSTER_CIRCUIT),
    status,
    activationHeight: undefined,
    withdrawHeight: undefined,
    ...more,
  },
})

/** Join by a wallet that is not admitted, for a payer. */
async function joinOf(name: string, payer: KeyPair): Promise<Instruction> {
  const prover = await ConferenceProver.open(
    clients[0] as CausewayClient,
    `bank:${name}`,
    await generateKeyPair('ed25519'),
  )
  return (await prover.join(idOf(payer))).instruction
}

describe('a network of release 0.1.0', () => {
  it('is upgraded to ABI 2 by the current programs', async () => {
    expect((await send(keys.alice, [pay()])).code).toBeUndefined()
    const { height } = await getJson<{ height: number }>(net.gateways[0] as string, '/v1/consensus/status')
    const manifest = {
      name: 'calls',
      description: '',
      abiVersion: 2,
      abiHash: ABI_2.hash,
      startHeight: height + 2,
      endHeight: height + 50,
    }
    await sent(keys.admin, instruction(upgrades.proposeUpgrade, { manifest }))
    await sent(keys.alice, pay())
    await sent(keys.admin, instruction(upgrades.activateUpgrade, { id: upgradeId(manifest) }))
    await sent(keys.alice, pay())
    await sent(keys.alice, pay())
    await sent(keys.admin, call('board'))
  })

  it('refuses proofs while no key is set, and payments continue', async () => {
    const proof = await joinOf('board', keys.bob)
    expect((await send(keys.bob, [proof])).code).toBe('vk_not_configured')
    await sent(keys.alice, pay())
  })

  it('accepts a private join once its keys are registered and configured', async () => {
    const grant = { kind: 'permission', value: { name: 'CanManageVerifyingKeys', object: undefined } } as const
    await sent(
      keys.admin,
      instruction(permissions.grant, { subject: grant, to: { kind: 'account', value: idOf(keys.admin) } }),
    )
    await sent(
      keys.admin,
      key('registerVerifyingKey', 'active'),
      instruction(parameters.setParameter, { name: 'conference_roster_vk', value: KEY }),
    )
    await sent(keys.alice, pay())
    await sent(keys.bob, await joinOf('board', keys.bob))
  })

  it('refuses proofs identically on every node when the key is withdrawn while in use', async () => {
    const [before, during] = [await joinOf('board', keys.bob), await joinOf('board', keys.bob)]
    await sent(keys.bob, before)
    await sent(keys.admin, key('updateVerifyingKey', 'withdrawn', { version: 2 }))
    const codes = await Promise.all(
      clients.map((_, gateway) =>
        send([keys.bob, keys.admin, keys.alice, keys.bob][gateway] as KeyPair, [during], gateway),
      ),
    )
    expect(codes.map(({ code }) => code)).toEqual(Array(4).fill('vk_inactive'))
    await sent(keys.alice, pay())
    await sent(keys.admin, key('updateVerifyingKey', 'active', { version: 3 }))
    await sent(keys.bob, await joinOf('board', keys.bob))
    await net.agreed()
  })

  it('commits a block with the maximum proof work and payments', async () => {
    const payers = [keys.bob, keys.admin, keys.alice]
    const calls = ['first', 'second', 'third']
    await sent(keys.admin, ...calls.map(call))
    // 25 joins are 300 units: two such transactions are more than the 512 of a block.
    const full = await Promise.all(
      calls.map((name, at) => Promise.all(Array.from({ length: 25 }, () => joinOf(name, payers[at] as KeyPair)))),
    )
    const proving = full.map((joins, at) => send(payers[at] as KeyPair, joins, at))
    const paying = Array.from({ length: 20 }, () => send(keys.alice, [pay()], 3))
    const proven = await Promise.all(proving)
    expect(proven.map(({ code }) => code)).toEqual([undefined, undefined, undefined])
    expect(new Set(proven.map(({ height }) => height)).size).toBe(3)
    expect((await Promise.all(paying)).map(({ code }) => code)).toEqual(Array(20).fill(undefined))
    await net.agreed()
    await until('the figures', async () => {
      const metrics = await (await fetch(`${net.gateways[0]}/metrics`)).text()
      return metrics.includes('conference_proofs_total{relation="openJoin",verdict="proven"} 78') &&
        metrics.includes('conference_calls_active 4') &&
        /^conference_proof_verify_seconds_count\{relation="openJoin"\} [1-9]/m.test(metrics)
        ? true
        : undefined
    })
  })
})
