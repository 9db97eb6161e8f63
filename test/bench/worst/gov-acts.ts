/** Owns the inputs about governance records: tracks, seals, electors, the council, protected domains. */
import { ABI_2 } from '../../../src/features/abi.js'
import { approvals, namespaces, ready } from '../../../src/features/gov/ledger/tables.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import {
  APPROVALS_MAX,
  COUNCIL_MAX,
  type CouncilSubject,
  NAMESPACES_MAX,
  TRACKS_MAX,
} from '../../../src/features/gov/schema/records.js'
import { releaseDigest } from '../../../src/features/registry/schema/records.js'
import { upgradeId, instructions as upgrades } from '../../../src/features/upgrades/schema.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { GOV } from '../../support/gov.js'
import * as ministry from '../../support/ministry.js'
import * as kit from '../../support/registry.js'
import * as world from './gov-world.js'
import { alice, owner, repeat, text, type WorstCase } from './inputs.js'
import { fat } from './ministry.js'

const abi = ABI_2
const { ELECTORS, LATER_MS } = world
const COUNT = 8
const MANY = 20
const electorOf = (index: number) => ELECTORS[index] ?? owner
/** Last free track number. */
const SPARE = 6
const domainOf = (index: number): string => `${index}`.padEnd(128, 'd')

/** Council whose first member decides alone, or never. */
const appoint = (first = 65_535): Instruction =>
  instruction(gov.appointCouncil, {
    members: ELECTORS.slice(0, COUNCIL_MAX).map((account, index) => ({ account, weight: index === 0 ? first : 1 })),
    untilMs: 10 * LATER_MS,
  })
const councilVote = (subject: CouncilSubject): Instruction => instruction(gov.councilVote, { subject })
const veto = (proposal: number): Instruction => councilVote({ kind: 'veto', value: { proposal, forfeit: true } })
const agendaOf = (index: number): string => `AC-1970-${index + 1}`
function agendas(bench: Bench): void {
  world.founded()(bench)
  bench.genesis(owner, appoint())
  for (const index of repeat(MANY, (at) => at)) world.must(bench, electorOf(100 + index), ministry.submit(fat(index)))
}

const setNamespaces = (add: readonly string[], remove: readonly string[] = []): Instruction =>
  instruction(gov.setProtectedNamespaces, { add, remove })
/** Protected domains with the maximum number of approvals, or one less. */
function approved(bench: Bench, count: number, free = 0): void {
  world.founded()(bench)
  const domains = repeat(count, domainOf)
  bench.genesis(owner, ...domains.map((id) => core.registerDomain(id)), setNamespaces(domains))
  for (const domain of domains) fillApprovals(bench, domain, APPROVALS_MAX - free)
}
/** Write approvals of a domain as rows: creating them is measured elsewhere. */
function fillApprovals(bench: Bench, domain: string, count: number): void {
  const own = bench.state.get(namespaces, domain)?.approvals ?? []
  const others = repeat(count - own.length, (index) => {
    const id = kit.hashOf(`${domain}${index}`)
    const row = { domain, kind: 'contract', name: text(128), digest: id, abiHash: id, expiresMs: LATER_MS } as const
    bench.state.set(approvals, id, row)
    return { id, expiresMs: LATER_MS }
  })
  bench.state.set(namespaces, domain, { approvals: [...own, ...others] })
}
const approve = (domain: string, index: number, ttlMs = 1_000): Instruction =>
  instruction(gov.approveDeployment, {
    kind: 'contract',
    domain,
    name: `${index}`.padEnd(128, 'n'),
    digest: kit.SHA,
    abiHash: kit.SHA,
    ttlMs,
  })

const KIT = 'bank/kit'
const releaseOf = (index: number): string => `1.${index}.0`
/** Approvals for releases in a domain with the maximum number. */
function gated(bench: Bench): void {
  world.founded()(bench)
  const manifest = kit.manifestOf()
  bench.genesis(owner, kit.create(KIT, 'none', [alice]), setNamespaces(['bank']))
  const approvalOf = (index: number): Instruction =>
    instruction(gov.approveDeployment, {
      kind: 'package',
      domain: 'bank',
      name: `kit@${releaseOf(index)}`,
      abiHash: undefined,
      digest: releaseDigest(KIT, releaseOf(index), manifest),
      ttlMs: 10 * LATER_MS,
    })
  bench.genesis(owner, ...repeat(MANY, approvalOf))
  fillApprovals(bench, 'bank', APPROVALS_MAX)
}

const MANIFEST = {
  name: 'next',
  description: text(1_024),
  abiVersion: 3,
  abiHash: Buffer.alloc(32, 1),
  startHeight: 2,
  endHeight: 1_000,
}
/** Upgrade ready for activation, for which the largest roster attested another hash. */
function unready(bench: Bench): void {
  world.roster(bench)
  world.founded()(bench)
  bench.genesis(owner, core.permission('grant', 'CanManageRuntimeUpgrades', undefined, GOV))
  bench.height = 1
  bench.genesis(owner, instruction(upgrades.proposeUpgrade, { manifest: MANIFEST }))
  for (const { key } of world.PEERS) bench.state.set(ready, key, { abi: 3, hash: Buffer.alloc(32, 2) })
}

export const GOV_ACT_CASES: Readonly<Record<string, WorstCase>> = {
  'gov: founded with eight full tracks': {
    abi,
    by: owner,
    prepare: (bench) => {
      world.electorate(bench)
      bench.genesis(owner, core.permission('grant', 'CanManageRuntimeUpgrades', undefined, owner))
    },
    transactions: () => [[world.founding(repeat(TRACKS_MAX - 1, () => world.wide()))]],
  },
  'gov: full tracks set and removed': {
    abi,
    by: owner,
    prepare: (bench) => {
      world.founded(...repeat(SPARE - 1, () => world.wide({ electorate: world.BY_BALLOT })))(bench)
      world.fill(bench)
    },
    transactions: () =>
      repeat(COUNT, () => [
        instruction(gov.setTrack, { id: SPARE, track: world.wide({ electorate: world.BY_BALLOT }) }),
        instruction(gov.removeTrack, { id: SPARE }),
      ]),
  },
  'gov: seals of 256 members with 16 roles': {
    abi,
    by: owner,
    prepare: world.founded(),
    transactions: () => repeat(4, () => [instruction(gov.sealRole, { role: world.BOARD, members: ELECTORS })]),
  },
  'gov: members who lay a seal of 256 down': {
    abi,
    by: electorOf,
    prepare: world.founded(),
    transactions: () => repeat(COUNT, (index) => [core.roleOf('revoke', world.BOARD, electorOf(index))]),
  },
  'gov: electors and readiness of peers': {
    abi,
    by: world.accountOf,
    prepare: (bench) => {
      world.roster(bench)
      world.founded()(bench)
    },
    transactions: () =>
      world.PEERS.slice(0, MANY).map(({ key: peer }) => [
        instruction(gov.setElector, { peer, account: alice }),
        instruction(gov.attestAbi, { peer, abi: 3, hash: kit.SHA }),
      ]),
  },
  'gov: an upgrade that 128 validators are not ready for': {
    abi,
    by: owner,
    fails: true,
    prepare: unready,
    transactions: () => repeat(COUNT, () => [instruction(gov.activateReadyUpgrade, { id: upgradeId(MANIFEST) })]),
  },
  'gov: councils of 21': {
    abi,
    by: owner,
    prepare: world.founded(),
    transactions: () => repeat(MANY, () => [appoint()]),
  },
  'gov: vetoes that drop the largest proposals': {
    abi,
    by: electorOf(0),
    timeMs: LATER_MS,
    prepare: (bench) => {
      world.closing(bench, COUNT, { votingMs: 10 * LATER_MS })
      bench.genesis(owner, appoint())
    },
    transactions: () => world.after(COUNT).map((proposal) => [veto(proposal)]),
  },
  'gov: votes of a council of 21': {
    abi,
    by: (index) => electorOf(1 + index),
    timeMs: LATER_MS,
    prepare: (bench) => {
      world.closing(bench, 1, { votingMs: 10 * LATER_MS })
      bench.genesis(owner, appoint())
    },
    transactions: () => repeat(MANY, () => [veto(2)]),
  },
  'gov: the largest agendas admitted': {
    abi,
    by: electorOf(0),
    prepare: agendas,
    transactions: () => repeat(MANY, (index) => [councilVote({ kind: 'admit', value: { agenda: agendaOf(index) } })]),
  },
  'gov: the largest agendas dismissed': {
    abi,
    by: electorOf(0),
    prepare: agendas,
    transactions: () =>
      repeat(MANY, (index) => [
        councilVote({ kind: 'dismiss', value: { agenda: agendaOf(index), reason: text(256) } }),
      ]),
  },
  'gov: 64 domains protected and released': {
    abi,
    by: owner,
    prepare: (bench) => {
      world.founded()(bench)
      bench.genesis(owner, ...repeat(NAMESPACES_MAX, (index) => core.registerDomain(domainOf(index))))
    },
    transactions: () => {
      const domains = repeat(NAMESPACES_MAX, domainOf)
      return repeat(3, () => [setNamespaces(domains), setNamespaces([], domains)])
    },
  },
  'gov: domains with 256 approvals released': {
    abi,
    by: owner,
    prepare: (bench) => approved(bench, 4),
    transactions: () => repeat(4, (index) => [setNamespaces([], [domainOf(index)])]),
  },
  'gov: approvals in place of 256 that expired': {
    abi,
    by: owner,
    timeMs: LATER_MS,
    prepare: (bench) => approved(bench, 4),
    transactions: () => repeat(4, (index) => [approve(domainOf(index), index)]),
  },
  'gov: approvals beside 255 others': {
    abi,
    by: owner,
    prepare: (bench) => approved(bench, 1, 1),
    transactions: () => repeat(COUNT, (index) => [approve(domainOf(0), index), approve(domainOf(0), index, 0)]),
  },
  'gov: releases by one of 256 approvals': {
    abi,
    by: alice,
    prepare: gated,
    transactions: () => repeat(MANY, (index) => [kit.publish(KIT, releaseOf(index))]),
  },
}
