/** Queries of governance: status, proposals, counts, locks, accounts, the council, namespaces, readiness, trials. */
import { beforeAll, describe, expect, it } from 'vitest'
import { EXECUTIONS } from '../../../src/executor/index.js'
import type { IndexedBlock, QueryContext } from '../../../src/executor/reads.js'
import { tryOut } from '../../../src/executor/transaction.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { govIndexes } from '../../../src/features/gov/ledger/indexes.js'
import * as queries from '../../../src/features/gov/ledger/queries.js'
import * as status from '../../../src/features/gov/ledger/status-queries.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import { queries as declared } from '../../../src/features/gov/schema/views.js'
import { GENESIS_HEIGHT, instruction, type QueryDef } from '../../../src/model/index.js'
import { rowKey } from '../../../src/state/index.js'
import * as core from '../../support/core.js'
import {
  accountOfPeer,
  alice,
  assetTrack,
  bob,
  carol,
  dave,
  finalize,
  GOV,
  GovChain,
  lock,
  outsider,
  owner,
  PEERS,
  ROLE,
  setParameter,
  submit,
  track,
  VOTE,
} from '../../support/gov.js'
import { keysIn, rowsOf } from '../../support/nodes.js'

const context = ABI_2.codec('cw')
let chain: GovChain
const index = new Map<string, Buffer>()

const asked = (rows: ReadonlyMap<string, Buffer> = index, firstHeight = GENESIS_HEIGHT): QueryContext =>
  ({
    firstHeight,
    reader: chain.state,
    height: chain.blocks.height,
    codec: context,
    header: async () => ({ timeMs: chain.nowMs }),
    rows: async (table: Parameters<QueryContext['rows']>[0], { after, limit }: { after?: unknown; limit: number }) => {
      const place = after === undefined ? '' : rowKey(table, after)
      const all = keysIn(chain.state, table).map((key) => ({ key, row: rowKey(table, key) }))
      const found = all.filter(({ row }) => row > place).sort((a, b) => (a.row < b.row ? -1 : 1))
      return found.slice(0, limit).map(({ key }) => ({ key, value: chain.state.get(table, key), bytes: 1 }))
    },
    async *indexRange({ gte, lt, reverse, limit }: Parameters<QueryContext['indexRange']>[0]) {
      const keys = [...rows.keys()].sort().filter((key) => {
        const bytes = Buffer.from(key, 'hex')
        return bytes.compare(gte) >= 0 && (lt === undefined || bytes.compare(lt) < 0)
      })
      if (reverse === true) keys.reverse()
      for (const key of keys.slice(0, limit)) yield [Buffer.from(key, 'hex'), rows.get(key) as Buffer] as const
    },
    tryOut: async (authority: string, work: Parameters<QueryContext['tryOut']>[1]) =>
      tryOut(
        EXECUTIONS.trial,
        ABI_2,
        { height: chain.blocks.height + 1, timeMs: chain.nowMs, genesis: false, chain: 'test', gate: undefined },
        chain.state.fork(),
        authority,
        work,
      ),
  }) as unknown as QueryContext

/** A result as its schema encodes and decodes it. */
function stored<R>({ output }: Pick<QueryDef<never, R>, 'output'>, result: R | undefined): R {
  if (result === undefined) throw new Error('the query has a result')
  const decoded = output.decode(output.encode(result, context), context)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return decoded.value
}

const page = { limit: 10, after: undefined }
const council = (untilMs: number) =>
  instruction(gov.appointCouncil, {
    members: [alice, bob, carol].map((account, at) => ({ account, weight: at + 1 })),
    untilMs,
  })

beforeAll(() => {
  chain = new GovChain(
    [
      [0, track()],
      [2, assetTrack({ leadMs: 1_000 })],
    ],
    5_000,
  )
  chain.bench.genesis(owner, core.permission('grant', 'CanManageGovernance', undefined, owner))
  chain.run(owner, council(chain.nowMs + 1_000_000))
  chain.run(owner, instruction(gov.setProtectedNamespaces, { add: ['bank'], remove: [] }))
  const approval = { kind: 'package', domain: 'bank', name: 'kit', digest: Buffer.alloc(32, 1) } as const
  chain.run(owner, instruction(gov.approveDeployment, { ...approval, abiHash: undefined, ttlMs: 5 }))
  for (const one of [alice, bob]) chain.run(one, lock(50_000n))
  chain.run(alice, submit(2))
  chain.pass(1_000)
  chain.run(alice, chain.vote(1, 'aye', { amount: 40_000n, conviction: 2 }))
  chain.run(bob, submit(0))
  for (const one of [bob, carol]) chain.run(one, chain.vote(2))
  chain.run(alice, instruction(gov.councilVote, { subject: { kind: 'veto', value: { proposal: 2, forfeit: false } } }))
  const [first] = PEERS
  if (first !== undefined) {
    chain.run(accountOfPeer(first), instruction(gov.setElector, { peer: first.key, account: dave }))
    chain.run(dave, instruction(gov.attestAbi, { peer: first.key, abi: 3, hash: Buffer.alloc(32, 3) }))
  }
  const rows = rowsOf(chain.state)
  for (const [at, one] of chain.published.entries()) {
    const block = { ...one, rows: at === 0 ? rows : [] } as unknown as IndexedBlock
    for (const [key, value] of govIndexes(block).put) index.set(Buffer.from(key).toString('hex'), Buffer.from(value))
  }
})

describe('the status of governance', () => {
  it('names the next step, the electorates, the permissions and the council', async () => {
    const found = stored(declared.govStatus, await status.statusQuery(asked(), {}))
    expect(found).toMatchObject({ isFounded: true, domain: 'bank', tracks: 2, proposals: 2, open: 2, vetoBps: 5_000 })
    expect(found).toMatchObject({ account: GOV, definitions: [VOTE], council: { term: 1 } })
    expect(found.next).toEqual({ proposal: 2, dueMs: chain.row(2).endMs })
    expect(found.permissions.map(({ name }) => name)).toContain('CanManageGovernance')
    const tracks = stored(declared.govTracks, await status.tracksQuery(asked(), {}))
    expect(tracks.items).toMatchObject([
      { id: 0, electors: 4, open: 1 },
      { id: 2, open: 1, supply: core.units(4_000_000n) },
    ])
  })

  it('reports that governance is not founded on a chain without governance', async () => {
    const empty = { ...asked(), reader: new GovChain().state.fork() }
    empty.reader.delete((await import('../../../src/features/gov/ledger/tables.js')).govState, '')
    const found = stored(declared.govStatus, await status.statusQuery(empty, {}))
    expect(found).toMatchObject({ isFounded: false, proposals: 0, open: 0 })
    expect((await status.tracksQuery(empty, {}))?.items).toEqual([])
    expect(await status.councilQuery(empty, {})).toBeUndefined()
  })
})

describe('proposals', () => {
  it('are listed newest first, by status, track and proposer', async () => {
    const list = async (more = {}) => {
      const query = { ...page, status: undefined, track: undefined, proposer: undefined, isOpen: undefined, ...more }
      const found = stored(declared.govProposals, await queries.proposalsQuery(asked(), query))
      return [found.items.map(({ proposal }) => proposal), found.nextCursor]
    }
    expect(await list()).toEqual([[2, 1], undefined])
    expect(await list({ limit: 1 })).toEqual([[2], '2'])
    expect(await list({ limit: 1, after: '2' })).toEqual([[1], undefined])
    expect(await list({ track: 2 })).toEqual([[1], undefined])
    expect(await list({ proposer: bob })).toEqual([[2], undefined])
    expect(await list({ status: 'approved' })).toEqual([[], undefined])
    expect(await list({ isOpen: false })).toEqual([[], undefined])
  })

  it('are shown with their content, their times and their counts', async () => {
    const found = stored(declared.govProposal, await queries.proposalQuery(asked(), { proposal: 1 }))
    expect(found).toMatchObject({ title: 'Title', summary: 'Summary', track: 2, trackName: 'asset', status: 'voting' })
    expect(found.instructions).toEqual([setParameter('block_time_ms', 50)])
    expect(found.deposit).toEqual({ definition: 'coin#bank', amount: core.units(10n) })
    expect(found.tally).toMatchObject({
      aye: core.units(800_000n),
      ayes: core.units(40_000n),
      base: core.units(4_000_000n),
      quorum: core.units(100_000n),
      isQuorate: false,
      isApproved: false,
    })
    const referendum = stored(declared.govReferendum, await queries.referendumQuery(asked(), { proposal: 1 }))
    expect(referendum).toMatchObject({ plannedEndMs: found.endMs, isVetoable: true, attempts: 0 })
    const tally = stored(declared.govTally, await queries.tallyQuery(asked(), { proposal: 2 }))
    expect(tally.ballots).toEqual([bob, carol].map((value) => ({ elector: { kind: 'account', value }, choice: 'aye' })))
    expect(tally).toMatchObject({ ayes: core.units(2n), quorum: core.units(2n), isQuorate: true, isApproved: true })
    for (const run of [queries.proposalQuery, queries.referendumQuery, queries.tallyQuery])
      expect(await run(asked(), { proposal: 9 })).toBeUndefined()
  })

  it('are shown with their final counts after they end', async () => {
    chain.run(dave, chain.vote(2))
    chain.run(outsider, finalize(2))
    const found = stored(declared.govProposal, await queries.proposalQuery(asked(), { proposal: 2 }))
    expect(found).toMatchObject({ status: 'approved', tally: { ayes: core.units(3n), isApproved: true } })
  })
})

describe('the governance view of an account', () => {
  it('has tracks, a role, a seat, open proposals and validators', async () => {
    const of = async (account: string) => stored(declared.govAccount, await status.accountQuery(asked(), { account }))
    expect(await of(alice)).toMatchObject({ tracks: [0, 2], roles: [ROLE], open: [1], seat: { term: 1, weight: 1 } })
    expect(await of(dave)).toMatchObject({ tracks: [0], peers: [PEERS[0]?.key] })
    expect(await of(outsider)).toMatchObject({ tracks: [], roles: [], open: [], peers: [] })
  })

  it('has locks with the ballots that hold them', async () => {
    const found = stored(declared.govLocks, await status.locksQuery(asked(), { account: alice, ...page }))
    expect(found.items).toMatchObject([
      { definition: VOTE, amount: core.units(50_000n), free: core.units(10_000n), held: [{ proposal: 1 }] },
    ])
    expect((await status.locksQuery(asked(), { account: outsider, ...page }))?.items).toEqual([])
    const unlocks = stored(declared.govUnlocks, await status.unlocksQuery(asked(), {}))
    expect(unlocks.items).toMatchObject([{ locks: 2, locked: core.units(100_000n), free: core.units(60_000n) }])
    expect(unlocks.isComplete).toBe(true)
  })
})

describe('the council view', () => {
  it('lists the acts of the council by term, newest first', async () => {
    const found = stored(declared.govCouncil, await status.councilQuery(asked(), {}))
    expect(found).toMatchObject({ term: 1, inOffice: true, weight: 6, vetoBps: 5_000 })
    expect(found.members.every(({ isSeated }) => isSeated)).toBe(true)
    const acts = async (more = {}) =>
      stored(declared.govCouncilActs, await status.councilActsQuery(asked(), { term: undefined, ...page, ...more }))
    expect((await acts()).items.map(({ event }) => event.kind)).toEqual(['govCouncilVoted', 'govCouncilAppointed'])
    const first = await acts({ limit: 1 })
    expect((await acts({ limit: 1, after: first.nextCursor })).items.map(({ event }) => event.kind)).toEqual([
      'govCouncilAppointed',
    ])
    expect((await acts({ term: 2 })).items).toEqual([])
  })
})

describe('the acts of a council on a node that does not have all of them', () => {
  /** Index with the acts of blocks at given heights, by their number among all acts. */
  const actsAt = (heights: Readonly<Record<number, number>>): ReadonlyMap<string, Buffer> => {
    const acts = chain.published.filter(({ events }) => events.some(({ event }) => event.kind.startsWith('govCouncil')))
    const found = new Map<string, Buffer>()
    for (const [number, height] of Object.entries(heights)) {
      const block = { ...acts[Number(number)], height, rows: [] } as unknown as IndexedBlock
      for (const [key, value] of govIndexes(block).put) found.set(Buffer.from(key).toString('hex'), Buffer.from(value))
    }
    return found
  }
  const kinds = async (ctx: QueryContext, more = {}) => {
    const found = await status.councilActsQuery(ctx, { term: undefined, ...page, ...more })
    return { kinds: found?.items.map(({ event }) => event.kind), next: found?.nextCursor }
  }
  const APPOINTED = 'govCouncilAppointed'
  const VOTED = 'govCouncilVoted'

  it('are those after its snapshot; earlier ones are history_pruned', async () => {
    const after = asked(actsAt({ 1: 20 }), 20)
    const first = await kinds(after)
    expect(first.kinds).toEqual([VOTED])
    await expect(kinds(after, { after: first.next })).rejects.toMatchObject({ code: 'history_pruned' })
    await expect(kinds(asked(actsAt({}), 30))).rejects.toMatchObject({ code: 'history_pruned' })
    expect(await kinds(asked(actsAt({}), 30), { term: 2 })).toEqual({ kinds: [], next: undefined })
  })

  it('do not continue with genesis, because acts may be missing in between', async () => {
    const after = asked(actsAt({ 0: GENESIS_HEIGHT, 1: 20 }), 20)
    const first = await kinds(after)
    expect(first.kinds).toEqual([VOTED])
    await expect(kinds(after, { after: first.next })).rejects.toMatchObject({ code: 'history_pruned' })
    const second = asked(actsAt({ 0: GENESIS_HEIGHT, 1: 20 }), GENESIS_HEIGHT + 1)
    expect(await kinds(second)).toEqual({ kinds: [VOTED, APPOINTED], next: undefined })
  })

  it('are complete if only blocks were pruned', async () => {
    expect(await kinds(asked(actsAt({ 0: 10, 1: 20 }), 20))).toEqual({ kinds: [VOTED, APPOINTED], next: undefined })
    expect(await kinds(asked(actsAt({ 0: 10, 1: 20 }), 30), { limit: 1 })).toMatchObject({ kinds: [VOTED] })
  })
})

describe('namespaces and validators', () => {
  it('are listed with approvals, electors and attestations', async () => {
    expect((await status.namespacesQuery(asked(), page))?.items).toEqual([{ domain: 'bank', approvals: 1 }])
    const bank = stored(declared.govNamespace, await status.namespaceQuery(asked(), { domain: 'bank' }))
    expect(bank).toMatchObject({ isProtected: true, approvals: [{ name: 'kit', isExpired: true }] })
    const none = await status.namespaceQuery(asked(), { domain: 'none' })
    expect(none).toMatchObject({ isProtected: false, approvals: [] })
    const peers = stored(declared.govPeers, await status.peersQuery(asked(), {}))
    expect(peers.quorum).toBe(3)
    expect(peers.items.filter(({ abi }) => abi === 3).map(({ elector }) => elector)).toEqual([dave])
    expect(peers.items).toHaveLength(4)
  })
})

describe('the simulation of an instruction list', () => {
  const run = async (trackId: number | undefined, ...list: Parameters<typeof submit>[1] & object) =>
    stored(declared.govSimulation, await queries.simulationQuery(asked(), { track: trackId, instructions: list }))

  it('reports whether it would be enacted now, and which instruction fails', async () => {
    const good = await run(0, setParameter('block_time_ms', 50))
    expect(good.error).toBeUndefined()
    expect(good.events.map(({ kind }) => kind)).toContain('parameterChanged')
    const bad = await run(0, setParameter('block_time_ms', 50), core.transfer(GOV, bob, 5n))
    expect(bad).toMatchObject({ error: 'absent', position: 1, events: [] })
    expect(await run(0, setParameter('max_tx_bytes', 1_024))).toMatchObject({ error: 'below_floor', position: 0 })
    expect(await run(2, core.log('x'))).toMatchObject({ error: 'track_scope' })
    expect(await run(7, core.log('x'))).toMatchObject({ error: 'absent' })
    expect(await run(undefined, core.log('x'))).not.toHaveProperty('error', 'absent')
  })
})
