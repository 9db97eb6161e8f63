/** Owns the wrong variants of consensus that the exploration of small worlds must catch, and those that it cannot show. */
import { namedWorld, type WorldOptions } from '../../src/simulation/explore/index.js'
import { consensus, MUTANTS, type Patch } from './mutants.js'

export interface ExploredMutant {
  readonly name: string
  readonly patches: readonly Patch[]
  readonly world: WorldOptions
  /** Text of the violation, or of the state that never commits. */
  readonly fault: RegExp
  /** It keeps all invariants of safety: states are healed to catch it, with messages lost or delivered. */
  readonly liveness?: 'lost' | 'delivered'
}

const world = (name: string, more: Partial<WorldOptions> = {}): WorldOptions => ({ ...namedWorld(name), ...more })
/** Faulty proposer of view 0 or 1, with everything that it can forge. */
const FIRST = world('four-faulty-first', { forges: true })
const SECOND = world('four-faulty-second')
const FOUR = world('four')
const THREE = world('three', { split: false, crashes: 0 })
const CRASH = world('three', { split: false })

/** Patches of a mutant of the simulator. */
function patchesOf(name: string): readonly Patch[] {
  const found = MUTANTS.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no mutant "${name}"`)
  return found.patches
}
const shared = (name: string, explored: WorldOptions, fault: RegExp): ExploredMutant => ({
  name,
  patches: patchesOf(name),
  world: explored,
  fault,
})

/** Mutants of the simulator that these worlds can show. */
const SHARED: readonly ExploredMutant[] = [
  shared('fresh block despite a prepare certificate', FOUR, /prepare-certified|FORK/),
  shared('voters accept a fresh block that the certificate shown forbids', SECOND, /prepare-certified|FORK/),
  shared('timeout certificate without its prepare certificate', SECOND, /prepare-certified|FORK/),
  shared('timeouts name no certificate', FOUR, /a timeout names certificate|accuses/),
  shared('vote after the own timeout', THREE, /given up before/),
  shared('votes leave before they are durable', world('two'), /before it was durable/),
  shared('repeats do not wait for the disk', world('two'), /before it was durable/),
  shared('lock forgotten over a restart', CRASH, /a timeout names certificate|accuses|FORK|prepare-certified/),
  shared('prepare vote forgotten over a restart', world('four-faulty-first', { crashes: 1 }), /two different prepare/),
  shared('timeout forgotten over a restart', CRASH, /given up before|two different timeout/),
  shared('quorum of f + 1', FIRST, /prepare-certified|FORK|at most one block/),
  shared('commit vote on the certificate of an earlier view', THREE, /commit vote|prepare certificate of its view/),
  shared('unchecked maximum in a timeout certificate', world('four-faulty-third-hidden'), /prepare-certified|FORK/),
  shared('a node without its votes votes at once', world('four-loses-votes'), /two prepare votes/),
  shared(
    'a node that forgot its votes begins like one that never voted',
    world('four-loses-votes'),
    /two prepare votes/,
  ),
  shared('a signer votes in a view that its key gave up', world('three-signer'), /given up before|a timeout names/),
]

/** Faults of the page of the prototype that the simulator has no mutant of. */
const FROM_PAGE: readonly ExploredMutant[] = [
  {
    name: 'a second prepare vote in a view',
    patches: [
      consensus(
        'vote.ts',
        'if (state.prepared?.view === state.view) return',
        'if (state.prepared?.view === state.view && hashKey(state.prepared.vote.blockHash) === current.hash) return',
      ),
      consensus(
        'vote.ts',
        'if (state.prepared?.view === job.view || state.current?.hash !== job.hash) return',
        'if (state.current?.hash !== job.hash) return',
      ),
      consensus(
        'proposal.ts',
        'if (state.current?.view === proposal.view && state.current.hash !== candidate.hash) {',
        'if (state.view < 0) {',
      ),
      consensus(
        'proposal.ts',
        'if (state.prepared?.view === proposal.view) {',
        'if (state.prepared?.view === proposal.view && hashKey(state.prepared.vote.blockHash) === candidate.hash) {',
      ),
      consensus('own-signatures.ts', "assertLater(state.prepared, view, 'one prepare vote per view')", ''),
    ],
    world: FIRST,
    fault: /two different prepare/,
  },
  {
    name: 'timeouts are sent once',
    patches: [
      consensus(
        'timeout.ts',
        "if (isBeingPersisted(ctx, state.timedOut.timeout)) return\n    broadcast(ctx, { kind: 'timeout', value: state.timedOut.timeout })",
        'if (isBeingPersisted(ctx, state.timedOut.timeout)) return',
      ),
    ],
    world: THREE,
    fault: /no commit/,
    liveness: 'lost',
  },
  {
    name: 'a restarted proposer never prepares its own block',
    patches: [consensus('recover.ts', 'state.current = { view: proposal.view, hash: candidate.hash }', '')],
    world: world('three', { views: 0 }),
    fault: /no commit|committed in view/,
    liveness: 'delivered',
  },
  {
    name: 'missing payloads are not fetched',
    patches: [
      consensus(
        'fetch.ts',
        'const wanted = wantedCandidate(state)\n  if (wanted === undefined) return',
        'const wanted = wantedCandidate(state)\n  if (wanted === undefined || state.nowMs >= 0) return',
      ),
    ],
    world: FIRST,
    fault: /no commit/,
    liveness: 'lost',
  },
]

/** Faults drawn from docs/design/consensus.md. */
export const SEEDED: readonly ExploredMutant[] = [
  {
    name: 'rule 2: a restarted proposer forgets its proposal',
    patches: [consensus('recover.ts', 'state.lastProposal = { view: proposal.view, proposal }', '')],
    world: CRASH,
    fault: /two different proposal|two different prepare|second block/,
  },
  {
    name: 'rule W: commit votes leave before they are durable',
    patches: [
      consensus(
        'vote.ts',
        "persist(ctx, [{ kind: 'locked', value: { height, vote, certified } }], { next: 'votePersisted', vote })",
        "publishVote(ctx, vote)\n  persist(ctx, [{ kind: 'locked', value: { height, vote, certified } }], { next: 'nothing' })",
      ),
    ],
    world: world('three'),
    fault: /commit vote of view \d left before/,
  },
  {
    name: 'rule W: timeouts leave before they are durable',
    patches: [
      consensus(
        'timeout.ts',
        "persist(ctx, [{ kind: 'timedOut', value: { height: timeout.height, timeout } }], {",
        "publishTimeout(ctx, timeout)\n  persist(ctx, [{ kind: 'timedOut', value: { height: timeout.height, timeout } }], {",
      ),
    ],
    world: world('three'),
    fault: /timeout of view \d left before/,
  },
  {
    name: 'section 3: a certificate needs no quorum of signers',
    patches: [
      consensus('certificate.ts', 'if (signers.length < committee.quorum) return', 'if (signers.length < 1) return'),
    ],
    world: FIRST,
    fault: /a certificate has 1 signers/,
  },
  {
    name: 'section 3: a timeout certificate needs no quorum of signers',
    patches: [consensus('certificate.ts', 'if (seen.size < committee.quorum) return', 'if (seen.size < 1) return')],
    world: SECOND,
    fault: /prepare-certified|FORK|at most one block/,
  },
  {
    name: 'section 3: a signer counts in several groups of a timeout certificate',
    patches: [
      consensus('certificate.ts', "if (seen.has(position)) return { fault: 'a signer is in two groups' }", ''),
      consensus('certificate.ts', 'seen.add(position)', 'seen.add(position + 64 * seen.size)'),
    ],
    world: SECOND,
    fault: /prepare-certified|FORK|at most one block/,
  },
  {
    name: 'section 2: any member proposes in any view',
    patches: [consensus('proposal.ts', 'keys: [proposerAt(state, proposal.view)],', 'keys: [from],')],
    world: SECOND,
    fault: /accuses|second block/,
  },
  {
    name: 'rule 5: only a commit certificate of the own view decides',
    patches: [
      consensus(
        'certified.ts',
        'state.decided = certified\n',
        'if (certified.certificate.view !== state.view) return false\n  state.decided = certified\n',
      ),
    ],
    world: THREE,
    fault: /no commit/,
    liveness: 'lost',
  },
  {
    name: 'section 3: a later view needs no timeout certificate',
    patches: [
      consensus(
        'proposal.ts',
        "if (justification.kind !== 'timeout') return 'a later view needs a timeout certificate'",
        "if (justification.kind !== 'timeout') return { checks: [{ kind: 'same', keys: [proposerAt(state, proposal.view)], message: proposalSignBytes(domain, proposal.view, hashOfHeader(proposal.header)), signature: proposal.signature }], certificates }",
      ),
    ],
    world: SECOND,
    fault: /prepare-certified|FORK|at most one block/,
  },
  {
    name: 'rule 4: a timeout certificate does not raise the highest certificate',
    patches: [
      consensus(
        'timeout.ts',
        'if (certificate.highPrepare !== undefined) raiseHighPrepare(ctx, certificate.highPrepare)',
        '',
      ),
    ],
    world: { ...THREE, views: 2 },
    fault: /a timeout names/,
  },
]

/** Faults of worlds with a loss. */
const OF_LOSSES: readonly ExploredMutant[] = [
  {
    name: 'section 8: a node votes at the first height that others showed',
    patches: [consensus('limits.ts', 'export const ABSTAIN_HEIGHTS = 3', 'export const ABSTAIN_HEIGHTS = 1')],
    world: world('four-loses-votes'),
    fault: /two prepare votes/,
  },
  {
    name: 'section 8: a node votes two heights above what others showed',
    patches: [consensus('limits.ts', 'export const ABSTAIN_HEIGHTS = 3', 'export const ABSTAIN_HEIGHTS = 2')],
    world: world('four-loses-data'),
    fault: /two prepare votes/,
  },
]

export const EXPLORED_MUTANTS: readonly ExploredMutant[] = [...SHARED, ...FROM_PAGE, ...SEEDED, ...OF_LOSSES]
