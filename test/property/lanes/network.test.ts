// Several ledgers under one random history of lanes: each block is built by one of them and judged by all, catalogues and
// policies change, ledgers restart, and payloads that a proposer bent are refused. One seed tells the whole history.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { routeFactsOf, staticCost } from '../../../src/executor/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import type { LaneSlot } from '../../../src/lanes/index.js'
import {
  composeBody,
  hashOfHeader,
  type Instruction,
  type RawEntry,
  signedTransaction,
} from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { openLedger } from '../../../src/node/ledger/open.js'
import type { Tip } from '../../../src/node/ledger/protocol.js'
import { flatHashes } from '../../../src/node/ledger/slices.js'
import { LaneRouting } from '../../../src/node/queue/lane-routing.js'
import { drawBlock, type QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'
import { laneFolderName } from '../../../src/storage/lane-folders.js'
import {
  codec,
  GENESIS_TIME_MS,
  signedBy,
  type TestAccount,
  temporaryFolder,
  testAccount,
  testGenesis,
  testPeer,
  transferOf,
} from '../../support/chain.js'
import { templateAfter, uncheckedCertificate } from '../../support/headers.js'
import { drawPlace, LANES_ON, laneSpecOf, setPolicy, threeLanes, updateLanes } from '../../support/lanes.js'
import { commitKept } from '../../support/ledger-bench.js'

const SEEDS = Math.max(2, Math.floor(Number(process.env.CAUSEWAY_LANE_RUNS ?? 200) / 100))
const BLOCKS = 24
const LEDGERS = 3

function randomOf(seed: number) {
  let state = seed >>> 0 || 1
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const peers = await Promise.all(Array.from({ length: 4 }, (_, index) => testPeer(index)))
const admin = await testAccount('genesis')
const accounts = await Promise.all(['alice', 'bob', 'carol', 'dave'].map(testAccount))
const [alice, bob] = accounts as [TestAccount, TestAccount]
const genesis = await testGenesis({
  peers,
  accounts,
  extra: threeLanes(alice.id, bob.id, admin.id),
  parameters: LANES_ON,
})

/** Expected catalogue, maintained by the test. */
interface Known {
  readonly active: number[]
  next: number
  policy: number
}

/** A change of lanes that the rules allow, or a policy that uses what is there. */
function lifecycle(random: (below: number) => number, known: Known): Instruction[] {
  const some = () => known.active[random(known.active.length)] as number
  const kind = random(3)
  if (kind === 0 && known.next < 12) {
    const id = known.next
    known.next += 1
    known.active.push(id)
    return [updateLanes({ add: [laneSpecOf(id, { teuCapacity: random(2) * 700 })] })]
  }
  if (kind === 1)
    return [updateLanes({ relabel: [{ lane: some(), alias: `alias ${random(1_000_000)}`.replace(' ', '-') }] })]
  known.policy += 1
  const rules = accounts.slice(0, 1 + random(3)).map((one) => ({
    lane: some(),
    account: { kind: 'account' as const, value: one.id },
  }))
  const used = new Set([0, ...rules.map((rule) => rule.lane)])
  const retired = known.active.filter((lane) => !used.has(lane) && random(3) === 0)
  for (const lane of retired) known.active.splice(known.active.indexOf(lane), 1)
  const retire = retired.length === 0 ? [] : [updateLanes({ retire: retired })]
  return [setPolicy(known.policy, rules), ...retire]
}

/** Ways to bend a payload that voters refuse, where they change something. */
const bent = (entries: readonly RawEntry[], turns: readonly LaneSlot[]): RawEntry[][] => {
  const lanes = new Set(entries.map((entry) => entry.lane))
  const other = turns.find((turn) => turn.lane !== entries[0]?.lane)?.lane ?? 99
  const bends = [entries.map((entry, at) => (at === 0 ? { ...entry, lane: other } : entry))]
  bends.push(entries.map((entry, at) => (at === 0 ? { ...entry, dataspace: 7n } : entry)))
  // The first two are of two lanes as soon as there are two.
  const [one, two, ...rest] = entries
  if (lanes.size > 1 && one !== undefined && two !== undefined) bends.push([two, one, ...rest])
  return bends.filter((one) => one.some((entry, at) => entry !== entries[at]))
}

async function history(seed: number): Promise<void> {
  const random = randomOf(seed)
  const folders = await Promise.all(Array.from({ length: LEDGERS }, temporaryFolder))
  const open = (at: number) =>
    openLedger({ folder: (folders[at] as { path: string }).path, genesis: genesis.genesis, abi: ABI_1 })
  const ledgers: Ledger[] = await Promise.all(folders.map((_, at) => open(at)))
  const known: Known = { active: [0, 1, 2], next: 3, policy: 1 }
  const queue = new TransactionQueue()
  let tip = await (ledgers[0] as Ledger).tip()
  let refused = 0
  let lanesSeen = 0

  const submit = async (account: TestAccount, instructions: readonly Instruction[]): Promise<void> => {
    const { id, signedHash, bytes } = signedBy(account, instructions, GENESIS_TIME_MS)
    const decoded = signedTransaction.decode(bytes, codec)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    const { routes } = await (ledgers[0] as Ledger).route({ facts: [routeFactsOf(ABI_1, decoded.value.payload.value)] })
    const route = routes[0]
    if (route?.kind !== 'routed') throw new Error(`seed ${seed}: no route`)
    const transaction: QueuedTransaction = {
      id,
      signedHash,
      bytes,
      authority: account.id,
      route: { lane: route.value.lane, dataspace: route.value.dataspace },
      ...staticCost(ABI_1, decoded.value, bytes.length),
      expiresAtMs: Number.MAX_SAFE_INTEGER,
      enteredAtMs: 0,
    }
    expect(queue.push(transaction)).toBeUndefined()
  }

  try {
    for (let block = 0; block < BLOCKS; block += 1) {
      for (let count = random(12); count > 0; count -= 1) {
        const from = accounts[random(accounts.length)] as TestAccount
        await submit(from, [transferOf(from.id, admin.id, 1n)])
      }
      if (random(3) === 0) await submit(admin, lifecycle(random, known))
      const before = tip
      const turns = before.lanes?.slots ?? []
      const { drawn } = drawBlock(queue, turns, drawPlace({ teu: 3_000, transactions: 1 + random(20) }, 0))
      const entries = drawn.map((one): RawEntry => ({ ...one.route, bytes: one.bytes }))
      const proposer = ledgers[random(LEDGERS)] as Ledger
      const body = composeBody(before.certificate, [], entries)
      const built = await proposer.build({
        header: templateAfter(before, genesis.genesis),
        body,
        hashes: flatHashes(drawn),
      })
      if (built.header === undefined) throw new Error(`seed ${seed}, block ${block}: ${JSON.stringify(built.invalid)}`)
      const { header } = built

      for (const ledger of ledgers) {
        for (const wrong of bent(entries, turns)) {
          const payload = composeBody(before.certificate, [], wrong)
          const hashes = flatHashes(
            wrong.map((entry) => drawn.find((one) => one.bytes === entry.bytes) as QueuedTransaction),
          )
          const answer = await ledger.execute({
            blockHash: Buffer.alloc(32, 9),
            header,
            body: payload,
            hashes,
            certified: false,
          })
          expect([answer.ok, answer.mismatch], answer.detail).toEqual([false, false])
          refused += 1
        }
      }
      const hash = hashOfHeader(header)
      const certificate = uncheckedCertificate(header)
      const tips = await Promise.all(
        ledgers.map(async (ledger) => {
          const vote = await ledger.execute({
            blockHash: hash,
            header,
            body,
            hashes: flatHashes(drawn),
            certified: false,
          })
          expect(vote.ok, vote.detail).toBe(true)
          return commitKept(ledger, { header, certificate })
        }),
      )
      tip = tips[0] as Tip
      for (const one of drawn) queue.remove(one.id)
      expect(tip.rejected, `seed ${seed}, block ${block}`).toBe(0)
      for (const other of tips) expect([other.stateRoot, other.lanes]).toEqual([tip.stateRoot, tip.lanes])
      expect(tip.lanes?.commitments.reduce((sum, one) => sum + one.txCount, 0)).toBe(drawn.length)
      lanesSeen = Math.max(lanesSeen, tip.lanes?.commitments.length ?? 0)
      const routing = new LaneRouting({
        abi: ABI_1,
        codec,
        queue,
        ledger: ledgers[0] as Ledger,
        onDropped: () => undefined,
      })
      routing.changed(before.lanes, tip.lanes)
      await routing.ready
      if (random(8) === 0) {
        const at = random(LEDGERS)
        await (ledgers[at] as Ledger).close()
        ledgers[at] = await open(at)
        expect((await (ledgers[at] as Ledger).tip()).lanes).toEqual(tip.lanes)
      }
    }
    expect(refused).toBeGreaterThan(BLOCKS)
    expect(lanesSeen).toBeGreaterThan(1)
    const wanted = (tip.lanes?.slots ?? []).map(({ lane, alias }) => laneFolderName({ id: lane, alias })).sort()
    for (const [at, ledger] of ledgers.entries()) {
      await ledger.close()
      ledgers[at] = await open(at)
      const names = await readdir(join((folders[at] as { path: string }).path, 'blocks'))
      expect(names.filter((name) => name.startsWith('lane_')).sort()).toEqual(wanted)
    }
  } finally {
    await Promise.all(ledgers.map((ledger) => ledger.close()))
    await Promise.all(folders.map((folder) => folder.remove()))
  }
}

it.each(Array.from({ length: SEEDS }, (_, at) => at + 1))(
  'history %i ends with one state and one set of files, without a vote for an invalid block',
  history,
)
