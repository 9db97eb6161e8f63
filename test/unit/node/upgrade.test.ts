/** A network rolls to a second ABI, member by member; its composition root adds one feature that only the test knows. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { string, struct } from '../../../src/codec/index.js'
import { type Abi, composeAbi, type Feature } from '../../../src/executor/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { queries as laneQueries } from '../../../src/features/lanes/schema/queries.js'
import { instructions as permissionsInstructions } from '../../../src/features/permissions/schema.js'
import { upgradeId, instructions as upgrades } from '../../../src/features/upgrades/schema.js'
import { defineEvents, type EventOf, type Instruction, instruction, keyString } from '../../../src/model/index.js'
import { replayBlocks } from '../../../src/node/ledger/replay.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'

const greeting = struct('Greet', { text: string(64) })
const { greeted } = defineEvents({ greeted: { id: 990, record: greeting } })

/** One instruction and one event. */
const greetings: Feature = {
  name: 'greetings',
  version: 1,
  tables: [],
  instructions: [
    {
      id: 990,
      kind: 'greet',
      label: 'greeting::say',
      schema: greeting,
      cost: { base: 8 },
      execute(ctx, value: EventOf<typeof greeted>) {
        ctx.emit(greeted, value)
        return undefined
      },
    },
  ],
  queries: [],
  events: [greeted],
  permissions: [],
  parameters: [],
  errors: {},
  scheduled: [],
  endOfBlock: [],
  policies: {},
  rules: [],
  selfChecks: [],
  genesis: [],
  indexes: [],
  history: [],
}
const ABI_2 = composeAbi(2, [...ABI_1.features, greetings])
const BOTH: ReadonlyMap<number, Abi> = new Map([
  [1, ABI_1],
  [2, ABI_2],
])

let alice: TestAccount
let cluster: Cluster
/** Why members stopped by themselves. */
const stopped: Error[] = []

beforeEach(async () => {
  alice = await testAccount('alice')
  const admin = await testAccount('genesis')
  const permission = { name: 'CanManageRuntimeUpgrades', object: undefined }
  const subject = { kind: 'permission', value: permission } as const
  const granted: Instruction = instruction(permissionsInstructions.grant, {
    subject,
    to: { kind: 'account', value: admin.id },
  })
  cluster = await Cluster.start(4, [alice], [granted])
})
afterEach(() => cluster.close())

const member = (at: number): Member => cluster.members.get(cluster.peers[at]?.peer.key ?? '') as Member
const first = (): Member => member(0)

/** Commit one transaction and return its result; only the first member needs to follow. */
async function commit(account: TestAccount, ...instructions: readonly Instruction[]) {
  const record = signedBy(account, instructions, Date.now())
  return committed(record.id, record.bytes)
}
async function committed(id: Uint8Array, bytes: Uint8Array) {
  const { core } = first()
  const submitted = await core.services.submit(bytes)
  if (!submitted.ok) throw submitted.error
  let found: { outcome: { kind: string } } | undefined
  await cluster.until('the transaction', async () => {
    const def = core.services.queries().get('transaction')
    if (def === undefined) throw new Error('no such query')
    found = (await core.services.query(def, { hash: id } as never)) as typeof found
    stopped.push(...cluster.failures.splice(0))
    return found !== undefined
  })
  return found?.outcome.kind
}

/** Brings a member back with the release that carries both ABIs. */
async function replace(at: number): Promise<void> {
  const peer = cluster.peers[at]
  if (peer === undefined) throw new Error('no such peer')
  await member(at).stop()
  await cluster.startMember(peer)
}

const propose = (start: number, end: number, abi = ABI_2) => ({
  name: 'second',
  description: 'adds greetings',
  abiVersion: 2,
  abiHash: abi.hash,
  startHeight: start,
  endHeight: end,
})

describe('a runtime upgrade', () => {
  it('switches a running network at its height; a release without its ABI stops before, and a new release resumes', async () => {
    cluster.abis = BOTH
    for (const at of [0, 1, 2]) {
      await replace(at)
      expect(await commit(alice, transferOf(alice.id, cluster.admin.id, 1n))).toBe('approved')
    }
    const manifest = propose(first().core.height + 5, first().core.height + 40)
    const id = upgradeId(manifest)
    const activate: Instruction = instruction(upgrades.activateUpgrade, { id })
    expect(await commit(alice, instruction(upgrades.proposeUpgrade, { manifest }))).toBe('rejected')
    expect(await commit(cluster.admin, instruction(upgrades.proposeUpgrade, { manifest }))).toBe('approved')
    expect(first().core.services.info.abi).toBe(1)
    // The release that will stop says so before, and the status of the others has nothing to say.
    await cluster.until('the warning', () => member(3).core.services.status(true).missingAbi !== undefined)
    expect(member(3).core.services.status(true).missingAbi).toEqual({
      upgrade: 'second',
      abiVersion: 2,
      abiHash: ABI_2.hash,
      decided: false,
      fromHeight: manifest.startHeight,
    })
    expect([0, 1, 2].map((at) => member(at).core.services.status(true).missingAbi)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    while (first().core.height + 1 < manifest.startHeight)
      await commit(alice, transferOf(alice.id, cluster.admin.id, 1n))
    expect(await commit(cluster.admin, activate)).toBe('approved')
    const fromHeight = first().core.height + 2
    expect(await commit(cluster.admin, activate)).toBe('rejected')

    await commit(alice, transferOf(alice.id, cluster.admin.id, 1n))
    // Under the first ABI the instruction is unknown; the last member reaches the height that it cannot execute.
    const old = member(3)
    await cluster.until('the stop of the old release', () => {
      stopped.push(...cluster.failures.splice(0))
      return stopped.length > 0
    })
    const [failure] = stopped
    expect(failure).toMatchObject({ place: 'ledger', cause: { code: 'abi_missing' } })
    expect(failure?.message).toContain('ABI 2')
    expect(old.core.height).toBeLessThan(fromHeight)
    await old.stop()

    await cluster.until('the switch', () => [0, 1, 2].every((at) => member(at).core.services.info.abi === 2))
    const { codec, features } = first().core.services.info
    expect(features).toContain('greetings')
    const hello: Instruction = { kind: 'greet', value: { text: 'hello' } }
    const sealed = signedBy(alice, [hello], Date.now(), 100_000, codec)
    expect(await committed(sealed.id, sealed.bytes)).toBe('approved')
    const [last] = await first().core.services.history.read(first().core.height, 1)
    expect(last?.outcome.events.map(({ event }) => event.kind)).toContain('greeted')
    // Routes are determined by the active ABI.
    const question = { authority: alice.id, instructions: [hello], dataspace: undefined }
    expect(await first().core.services.query(laneQueries.laneRoute, question)).toMatchObject({
      laneId: 0,
      stage: 'single',
    })

    await cluster.startMember(cluster.peers[3] as (typeof cluster.peers)[number])
    await cluster.until('the last member', () => member(3).core.height === first().core.height)
    expect(member(3).core.services.info.abi).toBe(2)
    const roots = cluster.list.map((one) => keyString(one.core.services.consensus(true).stateRoot))
    expect(new Set(roots).size).toBe(1)

    // Its blocks are executed again under the ABI of each height.
    const { dataDir } = old
    await member(3).stop()
    const { genesis } = cluster.pinned
    const options = { folder: dataDir, genesis, abi: ABI_1, abis: BOTH }
    for (const explain of [false, true]) {
      const scratch = join(dataDir, `scratch-${explain}`)
      await mkdir(scratch)
      const report = await replayBlocks({ ...options, scratch, explain })
      expect(report).toMatchObject({ reproduced: report.stateHeight, failed: undefined, wrongRows: [] })
      expect(report.stateHeight).toBeGreaterThan(fromHeight)
    }
  })
})
