/** Contracts come to a running network with an upgrade, and every node that runs them agrees: those that were there, restarted, or began from a snapshot. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { provenContractView } from '../../../src/cli/contract/proven.js'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { ABI_1, ABI_2, ABIS } from '../../../src/features/abi.js'
import { contractHandlers } from '../../../src/features/contracts/node/handlers.js'
import { queries as contractQueries } from '../../../src/features/contracts/schema/queries.js'
import { artifactHashOf } from '../../../src/features/contracts/schema/records.js'
import { type ProvenContract, provenContractRoute } from '../../../src/features/contracts/schema/routes.js'
import { upgradeId, instructions as upgrades } from '../../../src/features/upgrades/schema.js'
import { type AccountId, formatAddress, type Instruction, instruction, keyString } from '../../../src/model/index.js'
import { createSnapshot } from '../../../src/node/offline/create-snapshot.js'
import type { OfflinePlace } from '../../../src/node/offline/offline.js'
import { restoreSnapshot } from '../../../src/node/offline/restore-snapshot.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { args, call, compiled, deploy, manifestOf, register, TOKEN } from '../../support/contracts.js'
import * as core from '../../support/core.js'

const GAS = 200_000
const TREE_BITS = 18
const code = compiled('token')
const manifest = manifestOf(code, TOKEN)

let alice: TestAccount
let cluster: Cluster
let crypto: InlineCrypto
beforeAll(async () => {
  alice = await testAccount('alice')
  const admin = await testAccount('genesis')
  crypto = await InlineCrypto.create()
  const granted = core.permission('grant', 'CanManageRuntimeUpgrades', undefined, admin.id)
  cluster = await Cluster.start(4, [alice], [granted], undefined, undefined, ABI_1)
})
afterAll(async () => {
  await crypto.close()
  await cluster.close()
})

const peerAt = (at: number) => cluster.peers[at] as (typeof cluster.peers)[number]
const member = (at: number): Member => cluster.members.get(peerAt(at).peer.key) as Member
const first = (): Member => member(0)

/** Commits one transaction under the ABI that acts now; its result. */
async function commit(account: TestAccount, ...instructions: readonly Instruction[]) {
  const { core: node } = first()
  const record = signedBy(account, instructions, Date.now(), 100_000, node.services.info.codec)
  const submitted = await node.services.submit(record.bytes)
  if (!submitted.ok) throw submitted.error
  type Found = { readonly outcome: { readonly kind: string; readonly value?: { readonly gasUsed: number } } }
  let found: Found | undefined
  await cluster.until('the transaction', async () => {
    const def = node.services.queries().get('transaction')
    found = def && ((await node.services.query(def, { hash: record.id } as never)) as Found | undefined)
    return found !== undefined
  })
  return found?.outcome
}
const agreed = (): Promise<void> =>
  cluster.until('one height and one root', () => {
    const tips = cluster.list.map((one) => `${one.core.height} ${keyString(one.core.tip.stateRoot)}`)
    return new Set(tips).size === 1
  })

let address: AccountId
const input = (amount: string) => args(TOKEN, 'transfer', { to: formatAddress(cluster.admin.id, 'cw'), amount })
const pay = (amount: string): Instruction => call(address, 'transfer', { input: input(amount), gasLimit: GAS })

/** Gas that each member says a payment takes, on its last state. */
const simulated = (amount: string) =>
  Promise.all(
    cluster.list.map(async (one) => {
      const trial = {
        address,
        entrypoint: 'transfer',
        input: input(amount),
        gasLimit: GAS,
        caller: alice.id,
        attach: [],
      }
      const { outcome, gasUsed } = (await one.core.services.query(contractQueries.contractSimulation, trial)) ?? {}
      return `${outcome} ${gasUsed}`
    }),
  )

it('an ABI 1 network upgrades to contracts, deploys and calls one, and all nodes reach the same root', async () => {
  cluster.abis = ABIS
  for (const at of [0, 1, 2, 3]) {
    await member(at).stop()
    await cluster.startMember(peerAt(at))
  }
  expect((await commit(alice, transferOf(alice.id, cluster.admin.id, 1n)))?.kind).toBe('approved')
  const startHeight = first().core.height + 5
  const upgrade = {
    name: 'contracts',
    description: 'contracts',
    abiVersion: 2,
    abiHash: ABI_2.hash,
    startHeight,
    endHeight: startHeight + 40,
  }
  await commit(cluster.admin, instruction(upgrades.proposeUpgrade, { manifest: upgrade }))
  while (first().core.height + 1 < startHeight) await commit(alice, transferOf(alice.id, cluster.admin.id, 1n))
  const activate: Instruction = instruction(upgrades.activateUpgrade, { id: upgradeId(upgrade) })
  expect((await commit(cluster.admin, activate))?.kind).toBe('approved')
  await commit(alice, transferOf(alice.id, cluster.admin.id, 1n))
  await cluster.until('the switch', () => cluster.list.every((one) => one.core.services.info.abi === 2))

  // Permissions that an ABI adds have no holder: the manager of upgrades grants them first.
  const registered = register(code, manifest)
  expect((await commit(alice, registered))?.kind).toBe('rejected')
  expect((await commit(cluster.admin, core.permission('grant', 'CanDeployContract', undefined, alice.id)))?.kind).toBe(
    'approved',
  )
  expect((await commit(alice, registered))?.kind).toBe('approved')
  const init = args(TOKEN, 'init', { digits: 2, initial: '100' })
  const deployed = await commit(alice, deploy(artifactHashOf(code, manifest), { input: init, gasLimit: GAS }))
  expect(deployed).toMatchObject({ kind: 'called', value: { trap: 0 } })
  const [block] = await first().core.services.history.read(first().core.height, 1)
  const deployedEvent = block?.outcome.events.find(({ event }) => event.kind === 'contractDeployed')
  if (deployedEvent === undefined) throw new Error('no contract was deployed')
  address = (deployedEvent.event.value as { readonly address: AccountId }).address
  await agreed()
  const [gas, ...others] = await simulated('2')
  expect(others).toEqual([gas, gas, gas])
  const paid = await commit(alice, pay('2'))
  expect(gas).toBe(`ok ${paid?.value?.gasUsed}`)
  const activity = await first().core.services.query(contractQueries.contractActivity, {
    address,
    after: undefined,
    limit: 10,
  })
  expect(activity?.items).toMatchObject([{ entrypoint: 'transfer', approved: true, gasUsed: paid?.value?.gasUsed }])
  await agreed()

  // Offline check: the proven row contains the hash of the received artifact.
  const handler = contractHandlers.get(provenContractRoute.id)
  if (handler === undefined) throw new Error('no handler')
  const { services } = first().core
  const proven = await handler({ services, params: { address }, query: { from: undefined } } as never)
  const { value } = proven as { readonly value: ProvenContract }
  const genesisHash = cluster.pinned.hash
  const check = (bundle: ProvenContract, trusted: Uint8Array = genesisHash) =>
    provenContractView(bundle, trusted, crypto)
  expect(await check(value)).toMatchObject({
    contract: formatAddress(address, 'cw'),
    artifact: artifactHashOf(value.code, value.manifest).toString('hex'),
    owner: formatAddress(alice.id, 'cw'),
    status: 'active',
    valid: true,
  })
  // A forged version of it.
  const { proof } = value
  const otherCode = Buffer.from(value.code)
  otherCode.writeUInt8((otherCode.at(-1) ?? 0) ^ 1, otherCode.length - 1)
  const forged: readonly (readonly [string, ProvenContract])[] = [
    ['module and manifest', { ...value, code: otherCode }],
    ['module and manifest', { ...value, manifest: { ...value.manifest, name: 'other' } }],
    [
      'not under the state root',
      { ...value, proof: { ...proof, value: Buffer.from(proof.value ?? []).fill(1, 0, 32) } },
    ],
    ['not under the state root', { ...value, proof: { ...proof, tableId: proof.tableId + 1 } }],
    ['the height of the block differs from the proof', { ...value, proof: { ...proof, height: proof.height + 1 } }],
  ]
  for (const [why, bundle] of forged) expect(await check(bundle)).toContain(why)
  expect(await check(value, Buffer.alloc(32, 9))).toContain('the hash of the genesis block differs')
})

it('a node started from a snapshot and a restarted node use the same gas and compute the same root', async () => {
  const down = member(3)
  await down.stop()
  const place: OfflinePlace = { folder: down.dataDir, abi: ABI_1, abis: ABIS, pinned: cluster.pinned }
  const path = join(down.dataDir, '..', 'contracts.snapshot')
  await createSnapshot(place, path)
  for (const amount of ['1', '1.5']) expect((await commit(alice, pay(amount)))?.kind).toBe('called')
  await rm(down.dataDir, { recursive: true })
  await restoreSnapshot(place, { path, crypto, treeBits: TREE_BITS })
  await cluster.startMember(peerAt(3))
  await member(2).stop()
  await cluster.startMember(peerAt(2))
  await agreed()
  const [gas, ...others] = await simulated('3')
  expect(others).toEqual([gas, gas, gas])
  const paid = await commit(alice, pay('3'))
  expect(gas).toBe(`ok ${paid?.value?.gasUsed}`)
  // A call that traps costs the same, to the last unit.
  const refused = await commit(alice, pay('1000'))
  expect(refused?.kind).toBe('called')
  await agreed()
})
