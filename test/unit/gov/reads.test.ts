/**
 * Responses of a gateway about governance: proposals, other holders of its permissions, protected contracts, drafts.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { NodeServices } from '../../../src/api/services.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { queries as contractQueries } from '../../../src/features/contracts/schema/queries.js'
import { govHandlers } from '../../../src/features/gov/node/handlers.js'
import { govService } from '../../../src/features/gov/node/index.js'
import * as drafts from '../../../src/features/gov/schema/drafts.js'
import { events } from '../../../src/features/gov/schema/events.js'
import { instructions as gov, type SubmitProposal } from '../../../src/features/gov/schema/instructions.js'
import * as routes from '../../../src/features/gov/schema/routes.js'
import { queries } from '../../../src/features/gov/schema/views.js'
import { queries as permissionQueries } from '../../../src/features/permissions/schema.js'
import { event, instruction, type QueryDef } from '../../../src/model/index.js'
import * as world from '../../support/gov.js'

const { alice, bob, GOV, owner } = world
let chain: world.GovChain
/** Holders of every permission. */
let holders: readonly string[]
beforeEach(() => {
  chain = new world.GovChain([
    [0, world.track({ votingMs: 60_000 })],
    [1, world.assetTrack()],
  ])
  holders = [GOV]
})

/** Query of the state of the chain. */
function ask(kind: string, input: unknown): unknown {
  const { bench, nowMs } = chain
  const header = async () => ({ timeMs: nowMs })
  const rows = async () => []
  const context = { reader: bench.state, height: bench.height, header, rows, codec: bench.abi.codec('cw') }
  return bench.abi.queries.get(kind)?.run(context as never, input)
}
const STUBS: Readonly<Record<string, (input: never) => unknown>> = {
  [permissionQueries.permissionHolders.kind]: ({ name }: { readonly name: string }) => ({
    items: holders.map((value) => ({ holder: { kind: 'account', value }, permission: { name } })),
  }),
  [contractQueries.contractInstance.kind]: ({ address }: { readonly address: string }) =>
    address === 'contract' ? { instance: { domain: 'bank' } } : undefined,
  [queries.govSimulation.kind]: () => ({ error: undefined, events: [], height: 2 }),
}
const services = {
  query: async ({ kind }: QueryDef<unknown, unknown>, input: unknown) =>
    (STUBS[kind] ?? ((asked: never) => ask(kind, asked)))(input as never),
  info: { codec: ABI_2.codec('cw') },
  costOf: () => 1,
} as unknown as NodeServices
const call = async (route: { readonly id: string }, input: object): Promise<Record<string, never>> => {
  const handler = govHandlers.get(route.id) as unknown as (asked: object) => Promise<Record<string, never>>
  return handler({ services, accounts: { authority: undefined }, ...input })
}

describe('GET /v1/gov', () => {
  it('shows proposals with their tallies, newest first', async () => {
    chain.run(alice, world.submit(0))
    chain.run(bob, world.submit(0))
    chain.run(alice, chain.vote(1))
    const asked = {
      status: undefined,
      track: undefined,
      proposer: undefined,
      isOpen: true,
      limit: 10,
      after: undefined,
    }
    expect(await ask(queries.govProposals.kind, asked)).toMatchObject({
      items: [
        { proposal: 2, proposer: bob, tally: { ayes: { mantissa: 0n } } },
        { proposal: 1, proposer: alice, tally: { ayes: { mantissa: 1n }, isQuorate: false } },
      ],
    })
  })

  it('lists other holders of governance permissions and of permissions on voting assets', async () => {
    holders = [owner, GOV]
    const { value } = await call(routes.statusRoute, {})
    const { otherHolders, isComplete, status, peers } = value as unknown as routes.StatusResponse
    expect([status.isFounded, status.account, isComplete, peers.quorum]).toEqual([true, GOV, true, 3])
    expect(otherHolders.every(({ holder }) => holder.value === owner)).toBe(true)
    const named = otherHolders.map(({ permission }) => permission.name)
    for (const name of ['CanManageGovernance', 'CanSetParameters', 'CanMint', 'CanBurn', 'CanTransfer', 'CanControl'])
      expect(named).toContain(name)
  })

  it('truncates a long list of other holders and reports it', async () => {
    holders = Array.from({ length: routes.OTHER_HOLDERS_MAX + 1 }, (_, at) => `account ${at}`)
    const { value } = await call(routes.statusRoute, {})
    const { otherHolders, isComplete } = value as unknown as routes.StatusResponse
    expect([otherHolders.length, isComplete]).toEqual([routes.OTHER_HOLDERS_MAX, false])
  })

  it('shows whether the domain of a contract is protected', async () => {
    const asked = (address: string) => call(routes.contractRoute, { accounts: { address } })
    expect(await asked('none')).toMatchObject({ code: 'not_found' })
    expect(await asked('contract')).toMatchObject({ value: { domain: 'bank', namespace: { isProtected: false } } })
  })
})

describe('POST /v1/gov', () => {
  const heading = { track: 0, title: 'Title', summary: '', link: undefined, peer: undefined }

  it('drafts a proposal with the simulation of its list', async () => {
    const list = [world.setParameter('block_time_ms', 50)]
    const { value } = await call(drafts.proposalDraftRoute, { body: { ...heading, instructions: list } })
    expect(value).toMatchObject({
      instructions: [instruction(gov.submitProposal, { ...heading, instructions: list })],
      simulation: { error: undefined },
    })
  })

  it('drafts proposals of approvals and of protected domains', async () => {
    const approval = {
      kind: 'contract' as const,
      domain: 'bank',
      name: 'token',
      digest: Buffer.alloc(32),
      abiHash: undefined,
    }
    const approved = { ...approval, ttlMs: 1_000 } as const
    const change = { add: ['bank'], remove: [] }
    const listOf = async (route: { readonly id: string }, more: object) => {
      const { value } = await call(route, { body: { ...heading, ...more } })
      const [drafted] = (value as unknown as { readonly instructions: readonly { readonly value: SubmitProposal }[] })
        .instructions
      return drafted?.value.instructions
    }
    expect(await listOf(drafts.deploymentDraftRoute, approved)).toEqual([instruction(gov.approveDeployment, approved)])
    expect(await listOf(drafts.namespacesDraftRoute, change)).toEqual([instruction(gov.setProtectedNamespaces, change)])
  })
})

describe('the governance event stream', () => {
  it('sends only the events of one proposal if the request names it', async () => {
    const running = await govService.open(undefined as never, undefined)
    const source = running?.streams?.get(routes.eventStream.id) as unknown as {
      wanted(request: object): (item: routes.GovStreamed) => boolean
    }
    const status = { track: 0, status: 'approved', dueMs: undefined } as const
    const changed = (proposal: number) => ({
      event: event(events.govStatusChanged, { ...status, proposal }),
      height: 2,
    })
    const wanted = source.wanted({ query: { proposal: 2 } })
    expect([wanted(changed(1)), wanted(changed(2))]).toEqual([false, true])
    expect(source.wanted({ query: { proposal: undefined } })(changed(1))).toBe(true)
  })
})
