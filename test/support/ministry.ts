/** Owns agendas for tests: contents and short forms of instructions. */
import { hash } from '../../src/crypto/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { agendas } from '../../src/features/ministry/ledger/tables.js'
import { instructions as ministry } from '../../src/features/ministry/schema/instructions.js'
import { type AgendaContent, type AgendaTarget, agendaDigest } from '../../src/features/ministry/schema/records.js'
import { type Instruction, instruction } from '../../src/model/index.js'
import type { StateReader } from '../../src/state/index.js'
import * as core from './core.js'
import { Bench } from './executor.js'

export const { owner, alice, bob, outsider } = core
export const START_MS = Date.UTC(2026, 10, 30)

export const hashOf = (name: string): Buffer => hash('test-content', Buffer.from(name))
export const target = (name: string, family: AgendaTarget['family'] = 'sha256'): AgendaTarget => ({
  label: name,
  family,
  hash: hashOf(name),
  reason: 'malware',
})
export const contentOf = (more: Partial<AgendaContent> = {}): AgendaContent => ({
  action: 'addToDenylist',
  language: 'en',
  title: 'Title',
  motivation: 'Why',
  impact: 'What',
  tags: ['test'],
  targets: [target('a')],
  evidence: [],
  policy: undefined,
  ...more,
})
export const amendment = (name: string, text: string): AgendaContent =>
  contentOf({ action: 'amendPolicy', targets: [], policy: { name, blake3: hashOf(text) } })

export const submit = (content = contentOf()): Instruction => instruction(ministry.submitAgenda, { agenda: content })
/** Application of an agenda by its digest; for a missing agenda with another digest. */
export function apply(state: StateReader, id: string, digest?: Uint8Array): Instruction {
  const row = state.get(agendas, id)
  const own = row === undefined ? hashOf('none') : agendaDigest(id, row.content)
  return instruction(ministry.applyAgenda, { agenda: id, digest: digest ?? own })
}

/** Ledger on which `owner` holds CanManageGovernance. */
export function ministryWorld(): Bench {
  const bench = new Bench(undefined, ABI_2)
  bench.timeMs = START_MS
  bench.genesis(
    owner,
    core.registerDomain('bank'),
    ...[owner, alice, bob, outsider].map((id) => core.registerAccount(id)),
    core.permission('grant', 'CanManageGovernance', undefined, owner),
  )
  return bench
}
