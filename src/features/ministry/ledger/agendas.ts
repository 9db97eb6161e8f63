/** Owns agendas: submission, settlement by the council, application by governance. */
import { sameBytes } from '../../../base/bytes.js'
import { type AgendaState, type Agendas, type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { perContent } from '../../../executor/costs.js'
import type { Executions } from '../../../executor/feature.js'
import { SINGLETON_KEY } from '../../../executor/tables.js'
import { CAN_MANAGE_GOVERNANCE } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { civilOfDay, isInstruction } from '../../../model/index.js'
import { events } from '../schema/events.js'
import { instructions } from '../schema/instructions.js'
import {
  AGENDA_MAX_BYTES,
  AGENDA_OPEN_MS,
  type AgendaContent,
  agendaContent,
  agendaDigest,
  DENIED_MAX,
  OPEN_MAX,
  OPEN_PER_ACCOUNT_MAX,
  TARGETS_MAX,
} from '../schema/records.js'
import { deniedText } from '../schema/views.js'
import { type AgendaRow, agendas, deniedHashes, ministryState, ministryStates, policies } from './tables.js'

const DAY_MS = 86_400_000
/** Static units of one target. */
const SUBMIT_TARGET_TEU = 16
const APPLY_TARGET_TEU = 32

/** Maximum year of an id. */
const YEAR_MAX = 9_999
const yearOf = (timeMs: number): number => Math.min(civilOfDay(Math.floor(timeMs / DAY_MS)).year, YEAR_MAX)

/** First time at which an agenda is not open any more. */
export const openUntil = ({ submittedMs }: Pick<AgendaRow, 'submittedMs'>): number => submittedMs + AGENDA_OPEN_MS

const absentAgenda = (id: string): Rejection => reject('absent', `agenda ${id} does not exist`)
const bad = (message: string): Rejection => reject('bad_parameter', message)

/** Rejection of content whose fields do not match its action, or that contains a hash twice. */
function contentFault(content: AgendaContent): Rejection | undefined {
  const { action, targets, policy } = content
  const bytes = agendaContent.encode(content).length
  if (bytes > AGENDA_MAX_BYTES) return bad(`the agenda has ${bytes} bytes; the limit is ${AGENDA_MAX_BYTES}`)
  const isAboutPolicy = action === 'amendPolicy'
  if (isAboutPolicy !== (policy !== undefined))
    return bad('an agenda must name a policy if it amends one, and only then')
  if (isAboutPolicy !== (targets.length === 0))
    return bad('an agenda must name at least one hash, or none if it amends a policy')
  const seen = new Set<string>()
  for (const target of targets) {
    const text = deniedText(target)
    if (seen.has(text)) return reject('duplicate_target', `the agenda names ${text} twice`)
    seen.add(text)
  }
  return undefined
}

/** Remove an agenda from the list of open ones. */
function close(ctx: ExecContext, id: string): void {
  const state = ministryState(ctx)
  const open = state.open.filter((one) => one.id !== id)
  if (open.length < state.open.length) ctx.set(ministryStates, SINGLETON_KEY, { ...state, open })
}

/** Add the targets of an agenda to the deny list, or remove them. Already listed or missing targets stay unchanged. */
function changeDenied(ctx: ExecContext, agenda: string, { action, targets }: AgendaContent): Rejection | undefined {
  const isAdded = action === 'addToDenylist'
  const changed = targets
    .map(({ family, hash }) => ({ family, hash }))
    .filter((key) => ctx.has(deniedHashes, key) !== isAdded)
  const state = ministryState(ctx)
  const denied = state.denied + (isAdded ? changed.length : -changed.length)
  if (denied > DENIED_MAX) return reject('denylist_full', `the deny list would have ${denied} hashes`)
  for (const key of changed) {
    if (isAdded) ctx.set(deniedHashes, key, { agenda, sinceMs: ctx.env.timeMs })
    else ctx.delete(deniedHashes, key)
    ctx.emit(isAdded ? events.hashDenied : events.hashAllowed, { agenda, ...key })
  }
  ctx.set(ministryStates, SINGLETON_KEY, { ...state, denied })
  return undefined
}

function amendPolicy(ctx: ExecContext, agenda: string, { policy }: AgendaContent): undefined {
  if (policy === undefined) throw new Error(`the agenda ${agenda} amends no policy`)
  const { name, blake3 } = policy
  const revision = (ctx.get(policies, name)?.revision ?? 0) + 1
  ctx.set(policies, name, { agenda, blake3, revision, sinceMs: ctx.env.timeMs })
  ctx.emit(events.policyAmended, { agenda, name, blake3, revision })
}

export const execute = {
  submitAgenda: {
    cost: {
      base: 600,
      per: [
        { teu: SUBMIT_TARGET_TEU, item: 'target', count: ({ agenda }) => agenda.targets.length },
        perContent('agenda', ({ agenda }) => agendaContent.encode(agenda).length),
      ],
    },
    primaryDomain: () => [],
    execute(ctx, { agenda: content }) {
      const unfit = contentFault(content)
      if (unfit) return unfit
      const { timeMs } = ctx.env
      const state = ministryState(ctx)
      const open = state.open.filter(({ untilMs }) => untilMs > timeMs)
      const own = open.filter(({ by }) => by === ctx.authority).length
      if (own >= OPEN_PER_ACCOUNT_MAX) return reject('agenda_limit', `the account has ${own} open agendas`)
      if (open.length >= OPEN_MAX) return reject('agenda_limit', `${open.length} agendas are open`)
      const id = `AC-${yearOf(timeMs)}-${state.next}`
      const row: AgendaRow = { by: ctx.authority, submittedMs: timeMs, standing: 'open', content, reason: undefined }
      ctx.set(agendas, id, row)
      const added = { id, by: ctx.authority, untilMs: openUntil(row) }
      ctx.set(ministryStates, SINGLETON_KEY, { ...state, next: state.next + 1, open: [...open, added] })
      const { action } = content
      ctx.emit(events.agendaSubmitted, { agenda: id, by: ctx.authority, action, digest: agendaDigest(id, content) })
      return undefined
    },
  },

  applyAgenda: {
    cost: { base: 200 + TARGETS_MAX * APPLY_TARGET_TEU },
    primaryDomain: () => [],
    execute(ctx, { agenda: id, digest }) {
      const row = ctx.get(agendas, id)
      if (row === undefined) return absentAgenda(id)
      const denied = requirePermission(ctx, 'applying an agenda', undefined, [CAN_MANAGE_GOVERNANCE, undefined])
      if (denied) return denied
      const { standing, content } = row
      if (standing === 'dismissed' || standing === 'applied')
        return reject('agenda_closed', `agenda ${id} is ${standing}`)
      const now = agendaDigest(id, content)
      if (!sameBytes(now, digest))
        return reject('agenda_changed', `the digest of agenda ${id} is ${now.toString('hex')}`)
      ctx.giveBack((TARGETS_MAX - content.targets.length) * APPLY_TARGET_TEU)
      const refused = content.action === 'amendPolicy' ? amendPolicy(ctx, id, content) : changeDenied(ctx, id, content)
      if (refused) return refused
      ctx.set(agendas, id, { ...row, standing: 'applied' })
      close(ctx, id)
      ctx.emit(events.agendaApplied, { agenda: id, by: ctx.authority })
      return undefined
    },
  },
} satisfies Executions<typeof instructions>

const isOpen = (row: AgendaRow, timeMs: number): boolean => row.standing === 'open' && openUntil(row) > timeMs

/** Status of an agenda at a time; an open one expires after 30 days. */
export const statusOf = (row: AgendaRow, timeMs: number): AgendaState =>
  row.standing === 'open' && !isOpen(row, timeMs) ? 'expired' : row.standing

/** Agendas for the council of governance. */
export const councilAgendas: Agendas = {
  state(ctx, id) {
    const row = ctx.get(agendas, id)
    return row && statusOf(row, ctx.env.timeMs)
  },

  settle(ctx, id, outcome) {
    const row = ctx.get(agendas, id)
    if (row === undefined) return absentAgenda(id)
    const isDismissible = outcome.kind === 'dismissed' && row.standing === 'admitted'
    if (!isDismissible && !isOpen(row, ctx.env.timeMs))
      return reject('agenda_closed', `agenda ${id} is ${statusOf(row, ctx.env.timeMs)}`)
    if (outcome.kind === 'admitted') {
      ctx.set(agendas, id, { ...row, standing: 'admitted' })
      ctx.emit(events.agendaAdmitted, { agenda: id })
    } else {
      ctx.set(agendas, id, { ...row, standing: 'dismissed', reason: outcome.reason })
      ctx.emit(events.agendaDismissed, { agenda: id, reason: outcome.reason })
    }
    close(ctx, id)
    return undefined
  },

  isAdmitted(ctx, [first, ...more]) {
    if (first === undefined || more.length > 0 || !isInstruction(first, instructions.applyAgenda)) return false
    const { agenda: id, digest } = first.value
    const row = ctx.get(agendas, id)
    return row?.standing === 'admitted' && sameBytes(agendaDigest(id, row.content), digest)
  },
}
