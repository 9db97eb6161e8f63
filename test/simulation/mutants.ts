/** Owns the named wrong variants of consensus: each a patch of the sources that the simulator must catch. */
import type { FaultyMember, Scenario, SchedulerName } from '../../src/simulation/index.js'

/** Replaces `find`, which must stand in the file exactly once, by `by`. */
export interface Patch {
  readonly file: string
  readonly find: string
  readonly by: string
}

export interface Mutant {
  readonly name: string
  readonly patches: readonly Patch[]
  /** The scheduler that must catch it, and within how many seeds. */
  readonly scheduler: SchedulerName
  readonly withinSeeds: number
  /** The first of them, 1 by default: later where many seeds before it show nothing, which takes long. */
  readonly fromSeed?: number
  /** Fixed parts of the scenarios, for cases that random ones meet too seldom. */
  readonly direct?: Partial<Scenario>
  /** Required text of the verdict, if the mutant must be detected in one particular way. */
  readonly fault?: RegExp
}

export const consensus = (file: string, find: string, by: string): Patch => ({ file: `consensus/${file}`, find, by })

/** Four members, one of them a liar (the first of them proposes the first blocks), and limits that make payloads large. */
const largePayloads = (
  behaviour: FaultyMember['behaviour'],
  changes: Partial<Scenario['payloads']>,
  member = 0,
): Partial<Scenario> => ({
  members: 4,
  observers: 0,
  rosterChanges: false,
  lostLogs: 0,
  lostDisks: 0,
  firstStart: false,
  faulty: [{ member, behaviour }],
  payloads: {
    directBytes: 16,
    compactBytes: 0,
    recordsPerRequest: 8,
    chunkBytes: 64,
    chunksPerSession: 16,
    chunksPerRequest: 16,
    fanout: 0,
    sessions: 8,
    ttlMs: 30_000,
    stashMessages: 128,
    storeSoftBytes: 100_000,
    storeHardBytes: 200_000,
    ...changes,
  },
})

/** Voters that take the signature of an embedded certificate for granted; without it its other faults would never be met. */
const UNSIGNED_PARENTS: Patch = {
  file: 'simulation/chain.ts',
  find: 'if (certified || checked.checks.every(this.rules.signatures.verify)) return undefined',
  by: 'if (certified || checked.checks.length >= 0) return undefined',
}

/** Four members, one of them a liar, and nothing else that could hide what it does. */
const oneFaulty = (behaviour: FaultyMember['behaviour'], member = 0): Partial<Scenario> => ({
  members: 4,
  observers: 0,
  rosterChanges: false,
  lostLogs: 0,
  lostDisks: 0,
  firstStart: false,
  transactions: 6,
  faulty: [{ member, behaviour }],
})

/** Four honest members, and the power of all fails: what one of them forgets, nobody else has. */
const POWER_FAILURES: Partial<Scenario> = {
  members: 4,
  observers: 0,
  rosterChanges: false,
  rotations: false,
  lostLogs: 0,
  lostDisks: 0,
  firstStart: false,
  transactions: 6,
  faulty: [],
  crashes: 0,
  fullDisks: 0,
  slowExecutionRate: 0,
  lateTimeRate: 0,
  powerFailures: 3,
}

/** The same with one member that abstains, so that the three others have to vote, and clocks that are behind now and then. */
const LATE_TIMES: Partial<Scenario> = { ...POWER_FAILURES, lostLogs: 1, powerFailures: 1, lateTimeRate: 0.5 }

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'fresh block despite a prepare certificate',
    patches: [
      consensus('propose.ts', 'if (carried !== undefined) {', 'if (carried !== undefined && state.view < 0) {'),
      consensus(
        'proposal.ts',
        'if (carried !== undefined && !sameBytes(',
        'if (carried !== undefined && false && !sameBytes(',
      ),
    ],
    scheduler: 'hidden-commit',
    withinSeeds: 100,
  },
  {
    name: 'voters accept a fresh block that the certificate shown forbids',
    patches: [
      consensus(
        'proposal.ts',
        'if (carried !== undefined && !sameBytes(',
        'if (carried !== undefined && false && !sameBytes(',
      ),
    ],
    scheduler: 'hidden-commit',
    withinSeeds: 100,
  },
  {
    name: 'timeout certificate without its prepare certificate',
    patches: [
      consensus(
        'certificate.ts',
        'if (highest !== (carried === undefined ? 0 : carried.certificate.view + 1)) {',
        'if (carried !== undefined && highest !== carried.certificate.view + 1) {',
      ),
    ],
    scheduler: 'hidden-commit',
    fromSeed: 90,
    withinSeeds: 100,
  },
  {
    name: 'unchecked maximum in a timeout certificate',
    patches: [
      consensus(
        'certificate.ts',
        'if (highest !== (carried === undefined ? 0 : carried.certificate.view + 1)) {',
        'if ((carried === undefined) !== (highest === 0)) {',
      ),
    ],
    scheduler: 'hidden-commit',
    fromSeed: 160,
    withinSeeds: 1_500,
    direct: { ...oneFaulty('wrongMaximum', 1), crashes: 0, fullDisks: 0, powerFailures: 0 },
  },
  {
    name: 'timeouts name no certificate',
    patches: [
      consensus('timeout.ts', 'highPrepare: state.highPrepare,', 'highPrepare: undefined,'),
      consensus(
        'timeout.ts',
        'if (namedView(job.timeout.highPrepare) !== namedView(state.highPrepare)) {',
        'if (state.halted) {',
      ),
    ],
    scheduler: 'hidden-commit',
    withinSeeds: 100,
  },
  {
    name: 'vote after the own timeout',
    patches: [consensus('step-context.ts', '(state.timedOut?.view ?? -1) < view', 'view >= 0')],
    scheduler: 'cuts',
    withinSeeds: 100,
    fault: /given up before/,
  },
  {
    name: 'votes leave before they are durable',
    patches: [
      consensus(
        'vote.ts',
        "persist(ctx, [{ kind: 'prepared', value }], { next: 'votePersisted', vote })",
        "publishVote(ctx, vote)\n    persist(ctx, [{ kind: 'prepared', value }], { next: 'nothing' })",
      ),
    ],
    scheduler: 'uniform',
    withinSeeds: 20,
    fault: /before it was durable/,
  },
  {
    name: 'repeats do not wait for the disk',
    patches: [
      consensus(
        'step-context.ts',
        'for (const awaited of ctx.state.jobs.values()) {',
        'for (const awaited of [] as Job[]) {',
      ),
    ],
    scheduler: 'hidden-commit',
    withinSeeds: 100,
    fault: /before it was durable/,
  },
  {
    name: 'block not durable with the vote',
    patches: [consensus('recover.ts', 'candidate.body ??= body ?? found', 'candidate.body ??= found && undefined')],
    scheduler: 'hidden-commit',
    withinSeeds: 100,
    direct: POWER_FAILURES,
    fault: /no commit within/,
  },
  {
    name: 'lock forgotten over a restart',
    patches: [
      consensus(
        'recover.ts',
        'const { vote, certified } = record.value\n      raise(state, certified)',
        'const { vote } = record.value',
      ),
    ],
    scheduler: 'hidden-commit',
    withinSeeds: 100,
  },
  {
    name: 'prepare vote forgotten over a restart',
    patches: [
      consensus(
        'recover.ts',
        'state.prepared = { view: vote.view, vote }\n      state.current = { view: vote.view, hash: candidate.hash }',
        '',
      ),
    ],
    scheduler: 'uniform',
    withinSeeds: 100,
    direct: { ...oneFaulty('twins'), crashes: 12 },
    fault: /two different prepare/,
  },
  {
    name: 'timeout forgotten over a restart',
    patches: [consensus('recover.ts', 'state.timedOut = { view: timeout.view, timeout }', '')],
    scheduler: 'uniform',
    withinSeeds: 200,
  },
  {
    name: 'an observer builds timeout certificates',
    patches: [
      consensus(
        'timeout.ts',
        'if (state.decided !== undefined || state.index === undefined) return',
        'if (state.decided !== undefined) return',
      ),
    ],
    scheduler: 'cuts',
    withinSeeds: 100,
    fault: /collects without being a member/,
  },
  {
    name: 'quorum of f + 1',
    patches: [consensus('roster.ts', '2 * faultBudget(n) + 1 : n', 'faultBudget(n) + 1 : n')],
    scheduler: 'uniform',
    withinSeeds: 50,
  },
  {
    name: 'the full roster votes at 5 and 6 members',
    patches: [consensus('roster.ts', '3 * faultBudget(n) + 1 : n', 'n : n')],
    scheduler: 'hidden-commit',
    withinSeeds: 400,
  },
  {
    name: 'commit vote on the certificate of an earlier view',
    patches: [
      consensus(
        'vote.ts',
        'if (high === undefined || high.certificate.view !== state.view || ',
        'if (high === undefined || ',
      ),
      consensus('own-signatures.ts', 'certificate.view === view &&', 'certificate.view >= 0 &&'),
    ],
    scheduler: 'cuts',
    withinSeeds: 50,
  },
  {
    name: 'a block that a quorum prepared is refused for its time in later views',
    patches: [consensus('state.ts', '!timely && header.originView === view', '!timely && header.originView <= view')],
    scheduler: 'cuts',
    fromSeed: 50,
    withinSeeds: 200,
    direct: LATE_TIMES,
    fault: /no commit within/,
  },
  {
    name: 'votes for blocks that execution refused',
    patches: [consensus('execute.ts', 'if (result.ok) {', 'if (result.ok || timely) {')],
    scheduler: 'uniform',
    withinSeeds: 300,
    fault: /wrong state root|does not apply/,
  },
  {
    name: 'a body that is not the header’s is taken',
    patches: [
      consensus('proposal.ts', 'if (body === undefined) return undefined', 'if (body !== null) return undefined'),
    ],
    scheduler: 'cuts',
    fromSeed: 300,
    withinSeeds: 400,
    fault: /halted/,
  },
  {
    name: 'demotion from what a node observed itself',
    patches: [
      {
        file: 'simulation/chain.ts',
        find: 'note(header.height - 1, parentCertificate?.view ?? 0)',
        by: 'note(header.height - 1, this.block(header.height - 1)?.certificate?.view ?? 0)',
      },
    ],
    scheduler: 'hidden-commit',
    withinSeeds: 300,
    fault: /proposer orders|wrong state root|halted/,
  },
  {
    name: 'neither amplification nor a durable entry certificate',
    patches: [
      consensus(
        'timeout.ts',
        'if (!certify(ctx, timeout.view)) amplify(ctx)',
        'if (!certify(ctx, timeout.view) && ctx.state.view < 0) amplify(ctx)',
      ),
      consensus('recover.ts', 'if (view >= state.view) state.entry = entry', 'if (view < 0) state.entry = entry'),
      consensus('step-context.ts', '  entry: state.entry,\n', '  entry: undefined,\n'),
    ],
    scheduler: 'uniform',
    withinSeeds: 400,
    fault: /no commit within|not settled/,
  },
  {
    name: 'a node without its votes votes at once',
    patches: [
      consensus(
        'state.ts',
        'index: abstaining !== undefined ? undefined : context.committee.indexOf.get(self),',
        'index: context.committee.indexOf.get(self),',
      ),
      consensus('enter.ts', 'state.abstention !== undefined ? undefined :', ''),
    ],
    scheduler: 'cuts',
    fromSeed: 60,
    withinSeeds: 600,
    fault: /two different/,
  },
  {
    name: 'honest members reported: a timeout that names its lock counts as amnesia',
    patches: [
      consensus('evidence/equivocation.ts', ' || namedView(timeout.highPrepare) > commit.view', ''),
      consensus('evidence/proof.ts', 'value.timeout.certificateView > value.commit.view', 'value.commit.view < 0'),
    ],
    scheduler: 'hidden-commit',
    withinSeeds: 100,
    fault: /proven guilty/,
  },
  {
    name: 'a chunk is not checked against its digest',
    patches: [consensus('rbc/session.ts', 'if (!sameBytes(chunkDigest(chunk), digest))', 'if (chunk.length < 0)')],
    scheduler: 'uniform',
    withinSeeds: 50,
    direct: largePayloads('garbageChunks', { fanout: 1 }, 1),
    fault: /session of a correct proposer is invalid/,
  },
  {
    name: 'chunks that are not the payload are taken for it',
    patches: [
      consensus(
        'rbc/session.ts',
        'if (body.length !== session.payloadBytes || keyString(payloadHash(body)) !== session.payloadHash) {',
        'if (body.length < 0) {',
      ),
    ],
    scheduler: 'uniform',
    withinSeeds: 50,
    direct: largePayloads('lyingDigests', {}),
    fault: /halted/,
  },
  {
    name: 'a payload rebuilt from hashes is not checked',
    patches: [consensus('compact.ts', 'if (!isPayloadOf(candidate.header, body)) return', 'if (state.halted) return')],
    scheduler: 'uniform',
    withinSeeds: 50,
    direct: largePayloads('lyingHashes', { compactBytes: 1_000_000 }),
    fault: /halted/,
  },
  {
    name: 'votes rest on a payload that is not synced',
    patches: [
      consensus(
        'staging.ts',
        "candidate.body !== undefined && (candidate.staging === 'synced' || !isStagedApart(state, candidate.body))",
        'candidate.body !== undefined && state.nowMs >= 0',
      ),
    ],
    scheduler: 'uniform',
    withinSeeds: 50,
    fault: /before its payload was durable/,
  },
  {
    name: 'staged payloads are forgotten over a restart',
    patches: [consensus('recover.ts', 'candidate.body ??= body ?? found', 'candidate.body ??= body')],
    scheduler: 'hidden-commit',
    withinSeeds: 300,
    direct: POWER_FAILURES,
    fault: /no commit within|not settled/,
  },
  {
    name: 'the store of broadcast payloads has no end',
    patches: [consensus('rbc/store.ts', 'while (pressureOf(store) === 2) {', 'while (store.sessions.size < 0) {')],
    scheduler: 'uniform',
    withinSeeds: 50,
    direct: largePayloads('silentProposer', { storeSoftBytes: 150, storeHardBytes: 300 }),
    fault: /bytes of broadcast payloads/,
  },
  {
    name: 'a parent certificate is not verified by voters',
    patches: [UNSIGNED_PARENTS],
    scheduler: 'uniform',
    withinSeeds: 100,
    direct: oneFaulty('forgedParents'),
    fault: /is not signed/,
  },
  {
    name: 'a prepare certificate of the parent will do',
    patches: [
      consensus('parent-certificate.ts', "if (certificate.phase !== 'commit')", 'if (claim.height < 0)'),
      UNSIGNED_PARENTS,
    ],
    scheduler: 'uniform',
    withinSeeds: 200,
    direct: oneFaulty('forgedParents'),
    fault: /is a prepare certificate/,
  },
  {
    name: 'a certificate of another block than the parent will do',
    patches: [
      consensus(
        'parent-certificate.ts',
        'if (!sameBytes(certificate.blockHash, claim.parentHash))',
        'if (claim.height < 0)',
      ),
      UNSIGNED_PARENTS,
    ],
    scheduler: 'uniform',
    withinSeeds: 200,
    direct: oneFaulty('forgedParents'),
    fault: /is of another block/,
  },
  {
    name: 'a certificate of the parent needs no quorum',
    patches: [
      consensus(
        'parent-certificate.ts',
        "return 'fault' in checked ?",
        "return 'fault' in checked && claim.height < 0 ?",
      ),
      consensus('parent-certificate.ts', ': checked\n}', ": 'fault' in checked ? { checks: [] } : checked\n}"),
      UNSIGNED_PARENTS,
    ],
    scheduler: 'uniform',
    withinSeeds: 200,
    direct: oneFaulty('forgedParents'),
    fault: /has 0 signers/,
  },
  {
    name: 'one vote arms the timer of an idle height',
    patches: [
      consensus(
        'pacing.ts',
        'if (state.activeMembers.size <= state.context.committee.faults) return',
        'if (state.activeMembers.size < 1) return',
      ),
    ],
    scheduler: 'uniform',
    withinSeeds: 50,
    direct: { ...oneFaulty('loneVotes'), idleCheck: true, healAtMs: 0, crashes: 0, fullDisks: 0, powerFailures: 0 },
    fault: /in an idle network/,
  },
  {
    name: 'a view has as many payload sessions as its proposer announces',
    patches: [
      consensus(
        'rbc/rules.ts',
        'if (other.height !== init.height || other.view !== init.view || other.isRecovered) continue',
        'if (other.height >= 0) continue',
      ),
    ],
    scheduler: 'uniform',
    withinSeeds: 100,
    direct: largePayloads('manyPayloads', {}),
    fault: /two payloads of height/,
  },
  {
    name: 'a payload of any size is announced',
    patches: [
      consensus('rbc/session.ts', 'if (payloadBytes > BODY_MAX_BYTES)', 'if (payloadBytes < 0)'),
      consensus('rbc/session.ts', 'if (chunkBytes > CHUNK_MAX_BYTES)', 'if (chunkBytes < 0)'),
    ],
    scheduler: 'uniform',
    withinSeeds: 100,
    direct: largePayloads('oversizedPayloads', { storeHardBytes: 2 ** 40, storeSoftBytes: 2 ** 40 }),
    fault: /bytes is announced/,
  },
  {
    name: 'a peer has any number of signature checks at once',
    patches: [
      consensus(
        'step-context.ts',
        'if (checksUnderWay(ctx, job.from) + checks.length > CHECKS_PER_PEER_MAX)',
        'if (checksUnderWay(ctx, job.from) < 0)',
      ),
    ],
    scheduler: 'uniform',
    withinSeeds: 200,
    direct: oneFaulty('garbageStatuses'),
    fault: /signature checks for/,
  },
  {
    name: 'a node that forgot its votes begins like one that never voted',
    patches: [consensus('abstain.ts', "abstention.cause !== 'firstStart' || ", '')],
    scheduler: 'cuts',
    withinSeeds: 600,
    direct: { members: 4, observers: 0, lostDisks: 1, lostLogs: 0, rosterChanges: false, faulty: [] },
    fault: /two different|FORK/,
  },
  {
    name: 'coming back counts a quorum of the committee, not the roster',
    patches: [
      consensus('abstain.ts', 'if (reached >= n - faultBudget(n))', 'if (reached >= context.committee.quorum - 1)'),
    ],
    scheduler: 'cuts',
    fromSeed: 190,
    withinSeeds: 3_000,
    direct: {
      members: 5,
      observers: 0,
      transactions: 16,
      crashes: 2,
      lostDisks: 1,
      lostLogs: 0,
      firstStart: false,
      rosterChanges: false,
      faulty: [{ member: 0, behaviour: 'lowHeights' }],
    },
    fault: /two different|FORK/,
  },
  {
    name: 'a member signs with its first key after a rotation',
    patches: [consensus('key-schedule.ts', 'own.find((key) => tip.schedule.roster.includes(key)) ?? ', '')],
    scheduler: 'uniform',
    withinSeeds: 50,
    direct: { members: 4, observers: 0, rotations: true, faulty: [], firstStart: false },
    fault: /no commit|not settled/,
  },
  {
    name: 'a signer without its record',
    patches: [
      {
        file: 'simulation/signer.ts',
        find: 'const decision = decideSigning({ key, chainHash }, this.records.get(key) ?? emptyRecord(0), request)',
        by: 'const decision = decideSigning({ key, chainHash }, emptyRecord(0), request)',
      },
    ],
    scheduler: 'uniform',
    withinSeeds: 50,
    direct: { members: 4, observers: 0, sharedSigner: true, faulty: [] },
    fault: /two different|signer -1|given up|guilty/,
  },
  {
    name: 'a signer whose record does not outlive it',
    patches: [
      {
        file: 'simulation/signer.ts',
        find: 'this.records.set(key, record)\n',
        by: 'this.records.set(key, emptyRecord(0))\n',
      },
    ],
    scheduler: 'cuts',
    withinSeeds: 300,
    direct: { members: 4, observers: 0, sharedSigner: true, faulty: [] },
    fault: /two different|signer -1|given up|guilty/,
  },
  {
    name: 'a signer votes in a view that its key gave up',
    patches: [
      consensus('signer/rules.ts', '(record.timedOut?.timeout.view ?? -1) >= request.view', 'request.view < 0'),
    ],
    scheduler: 'cuts',
    withinSeeds: 300,
    direct: { members: 4, observers: 0, sharedSigner: true, faulty: [] },
    fault: /given up before|guilty/,
  },
  {
    name: 'a signer lets a timeout name a lower certificate than it signed on',
    patches: [consensus('signer/rules.ts', "if (named < namedView(record.high)) return 'certificate_lower'", '')],
    scheduler: 'hidden-commit',
    withinSeeds: 600,
    direct: { members: 4, observers: 0, sharedSigner: true, faulty: [] },
    fault: /a timeout names certificate|guilty|FORK/,
  },
  {
    name: 'a node does not take over what its key signed',
    patches: [
      consensus(
        'unsigned.ts',
        'if (signed.value.height === height) takeOver(ctx, signed)',
        'if (signed.value.height < 0) takeOver(ctx, signed)',
      ),
    ],
    scheduler: 'cuts',
    withinSeeds: 600,
    // Of three nothing is decided without this one.
    direct: { members: 3, observers: 0, sharedSigner: true, faulty: [] },
    fault: /no commit|not settled/,
  },
]
