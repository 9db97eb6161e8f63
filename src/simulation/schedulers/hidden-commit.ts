/**
 * Owns a directed scheduler: only one node receives the commit votes of a view and decides. It is then partitioned, and
 * the others continue. A quorum is locked in that view, so the others must not decide differently.
 */
import type { ConsensusMessage, HeightContext } from '../../consensus/index.js'
import type { SimulatedNode } from '../node.js'
import { subjectOfMessage } from '../subject.js'
import { type Scheduler, type Stage, scheduleCrashes } from './scheduler.js'

/** Schedule of one height. */
interface Plan {
  readonly height: number
  /** View whose commit is hidden. */
  readonly view: number
  /** Node that receives the commit votes. */
  readonly witness: number
  /** Members that receive the prepare votes of the view and therefore lock in it. */
  readonly lockers: ReadonlySet<number>
  /** Earlier view in which only faulty members collect the prepare votes, or -1. */
  readonly hoardView: number
  /** Crash of the lockers after the decision of the witness: none, each separately, or all nodes at once. */
  readonly aftermath: 'none' | 'restarts' | 'powerFailure'
  /** True if commit votes reach only the witness; false if they reach no node, and only the lock is hidden. */
  readonly committed: boolean
}

/** Maximum number of views of the height that fail before the hidden one. */
const VIEWS_BEFORE_MAX = 2

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the steps of one plan share its state
export function hiddenCommit(stage: Stage): Scheduler {
  const { random, scenario, nodes, clock } = stage
  const { epochLength } = scenario
  // With epochs half of the plans are for the heights around the first boundary: before its record to after its start.
  const first = epochLength !== undefined && random.chance(0.5) ? epochLength - 1 : 2
  const height = first + random.below(Math.min(3, Math.max(1, scenario.transactions)))
  const rest = random.next() * 0.2
  let plan: Plan | undefined
  let knownAtView = false

  function draw(context: HeightContext): Plan {
    // By all keys that a node will ever have, because nodes that are behind use an older one.
    const keyOf = ({ role }: SimulatedNode) => role.keys.find((key) => context.committee.indexOf.has(key))
    const members = nodes.filter((node) => keyOf(node) !== undefined)
    const faulty = members.filter((node) => node.role.kind !== 'honest')
    const honest = members.filter((node) => node.role.kind === 'honest')
    const byzantine = faulty[0]
    // A faulty proposer of the next view can make use of the hidden messages.
    const place = context.order.indexOf((byzantine && keyOf(byzantine)) ?? '')
    const early = random.below(VIEWS_BEFORE_MAX + 1)
    const view = place > 0 && random.chance(0.8) ? place - 1 : early
    const witness = random.pick(honest)
    const lockers = new Set([witness.id])
    const shuffled = [...honest].sort(() => random.next() - 0.5)
    // Faulty members lock too: the fewer correct ones hold the lock, the more easily it is lost.
    for (const node of random.chance(0.8) ? faulty : []) lockers.add(node.id)
    for (const node of shuffled) if (lockers.size < context.committee.quorum) lockers.add(node.id)
    return {
      height: context.height,
      view,
      witness: witness.id,
      lockers,
      hoardView: view > 0 && byzantine !== undefined && random.chance(0.5) ? random.below(view) : -1,
      aftermath: random.pick(['none', 'restarts', 'restarts', 'powerFailure'] as const),
      committed: random.chance(0.85),
    }
  }

  function planOf(node: SimulatedNode, subjectHeight: number): Plan | undefined {
    if (plan !== undefined || subjectHeight !== height) return plan
    if (node.chain.height + 1 === height) plan = draw(node.chain.nextContext())
    return plan
  }

  function after(): void {
    if (plan === undefined || knownAtView) return
    knownAtView = true
    const { aftermath, lockers, witness } = plan
    if (aftermath === 'none') return
    for (const node of nodes) {
      if (aftermath === 'restarts' && (node.id === witness || !lockers.has(node.id))) continue
      clock.after(random.next() * (aftermath === 'restarts' ? 800 : 20), () => {
        if (!stage.isHealed()) stage.restart(node, 10 + random.next() * 300)
      })
    }
  }

  function admitsPlanned(now: Plan, from: SimulatedNode, to: SimulatedNode, message: ConsensusMessage): boolean {
    const { kind, height: at, view } = subjectOfMessage(message)
    const isFaulty = to.role.kind !== 'honest'
    if (at !== now.height) return at < now.height || (from.id !== now.witness && to.id !== now.witness)
    if (knownAtView && (from.id === now.witness || to.id === now.witness)) return false
    switch (kind) {
      case 'proposal':
        // Earlier views fail without a proposal, or without votes when these are collected by faulty members.
        return view >= now.view || view === now.hoardView
      case 'prepare':
      case 'prepareCertificate':
        if (view === now.hoardView) return isFaulty
        return view !== now.view || now.lockers.has(to.id)
      case 'commit':
        if (view < now.view) return false
        if (view !== now.view) return true
        return now.committed && to.id === now.witness
      case 'commitCertificate':
        return view > now.view
      case 'status':
      case 'sync':
      case 'payload':
        return random.chance(0.4)
      default:
        return true
    }
  }

  return {
    begin: () => scheduleCrashes(stage),
    admits(from, to, message) {
      const subject = subjectOfMessage(message)
      const now = planOf(from, subject.height)
      if (now === undefined) return true
      if (!now.committed && subject.kind === 'commit' && subject.height === now.height && subject.view === now.view) {
        after()
      }
      if (!admitsPlanned(now, from, to, message)) return false
      return subject.height !== now.height || !random.chance(rest)
    },
    committed(node) {
      if (plan !== undefined && node.id === plan.witness && node.chain.height === plan.height) after()
    },
  }
}
