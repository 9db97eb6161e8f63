/** Commands that read consensus from one route each. */
import type { Read } from './command.js'

/** Default number of heights in a history. */
const HEIGHTS_DEFAULT = 20
/** Default number of evidence records. */
const EVIDENCE_DEFAULT = 50

/** History of consensus, newest first. */
const history = {
  examples: ['', '--limit 3 --json'],
  defaults: { limit: HEIGHTS_DEFAULT },
  names: { from: 'from-height' },
  about: { limit: 'maximum number of heights' },
  omit: ['offset'],
} as const

export const consensusReads: Readonly<Record<string, Read>> = {
  'consensus certificates': { route: ({ peers }) => peers.certificates, ...history },
  'consensus checkpoints': { route: ({ peers }) => peers.checkpoints, ...history },
  'consensus collectors': { route: ({ consensus }) => consensus.collectors, examples: ['', '--json'] },
  'consensus commit-qc': { route: ({ peers }) => peers.commitQc, examples: ['5f0c...', '5f0c... --json'] },
  'consensus epoch': {
    route: ({ staking }) => staking.epoch,
    examples: ['', '3 --json'],
    argument: 'epoch',
    about: { epoch: 'number of the epoch (default: the current one)' },
  },
  'consensus evidence count': {
    route: ({ peers }) => peers.evidenceCount,
    examples: ['', '--json'],
    about: { kind: 'only faults of this kind' },
  },
  'consensus evidence list': {
    route: ({ peers }) => peers.evidence,
    examples: ['', '--kind double_proposal --limit 5 --json'],
    more: 'With --json each contains the two signed messages.',
    defaults: { limit: EVIDENCE_DEFAULT, offset: 0 },
    about: { kind: 'only faults of this kind', limit: 'maximum number of records' },
  },
  'consensus leader': { route: ({ consensus }) => consensus.leader, examples: ['', '--json'] },
  'consensus pacemaker': {
    route: ({ consensus }) => consensus.pacemaker,
    examples: ['', '--json'],
    summary: 'The timer of the current view, in milliseconds',
  },
  'consensus params': { route: ({ peers }) => peers.consensusParams, examples: ['', '--json'] },
  'consensus phases': {
    route: ({ consensus }) => consensus.phases,
    examples: ['', '--json'],
    summary: 'The latest and the average duration of each phase, in microseconds',
  },
  'consensus qc': { route: ({ consensus }) => consensus.qc, examples: ['', '--json'] },
  'consensus rbc sessions': { route: ({ node }) => node.rbcSessions, examples: ['', '--json'] },
  'consensus rbc status': {
    route: ({ node }) => node.rbc,
    examples: ['', '--json'],
    summary: 'Statistics of reliable broadcast: sessions, store pressure, backlog per lane and dataspace',
  },
  'consensus status': {
    route: ({ node }) => node.consensusStatus,
    examples: ['', '--json'],
    summary: 'Details of consensus: last commit certificate, state root, view, committee, phases, reason of a stall',
  },
  'consensus telemetry': { route: ({ consensus }) => consensus.telemetry, examples: ['', '--json'] },
}
