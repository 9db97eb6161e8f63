/** Commands that read governance and the ministry from one route each. */
import { textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { electorateText, heldText, proposalFields, readyText, statusText, tallyText } from '../gov/show.js'
import type { Read } from './command.js'

/** Proposals by number on the command line. */
const ofProposal = { names: { id: 'proposal' }, about: { id: 'number of the proposal' } } as const

const holderText = ({ holder, permission }: View): string => {
  const { name, object } = viewOf(permission)
  const on = textOf(object) === undefined ? '' : `:${textOf(object)}`
  return `${textOf(Object.values(viewOf(holder))[0])} has ${textOf(name)}${on}`
}

export const governanceReads: Readonly<Record<string, Read>> = {
  'gov account': {
    route: ({ gov }) => gov.account,
    examples: ['alice@bank', 'alice@bank --json'],
    names: { id: 'account' },
  },
  'gov council audit': {
    route: ({ gov }) => gov.councilActs,
    examples: ['', '--term 1 --json'],
    about: { term: 'number of the term (default: the last one)' },
    columns: { HEIGHT: 'height', AT: 'at_ms', ACT: ({ event }: View) => JSON.stringify(event) },
  },
  'gov council show': { route: ({ gov }) => gov.council, examples: ['', '--json'] },
  'gov list': {
    route: ({ gov }) => gov.proposals,
    examples: ['', '--open', '--track 1 --status voting --json'],
    names: { is_open: 'open' },
    about: {
      status: 'only proposals with this status',
      track: 'only proposals of this track',
      proposer: 'only proposals of this account: address or alias',
      is_open: 'only open proposals; --no-open: only closed ones',
    },
    columns: {
      PROPOSAL: 'proposal',
      TRACK: 'track_name',
      STATUS: statusText,
      TITLE: 'title',
      VOTES: tallyText,
      'NEXT STEP': 'due_ms',
    },
  },
  'gov locks': {
    route: ({ gov }) => gov.locks,
    examples: ['alice@bank'],
    names: { id: 'account' },
    columns: { ASSET: 'definition', LOCKED: 'amount', FREE: 'free', BALLOTS: heldText },
  },
  'gov namespace list': {
    route: ({ gov }) => gov.namespaces,
    examples: ['', '--json'],
    columns: { DOMAIN: 'domain', APPROVALS: 'approvals' },
  },
  'gov show': {
    route: ({ gov }) => gov.proposal,
    examples: ['1', '1 --json'],
    ...ofProposal,
    fields: proposalFields,
  },
  'gov status': {
    route: ({ gov }) => gov.status,
    examples: ['', '--json'],
    more: 'Other holders of its permissions, and holders of permissions on assets that vote, can act without a vote: revoke those.',
    fields: {
      account: 'status.account',
      founded: 'status.is_founded',
      domain: 'status.domain',
      tracks: 'status.tracks',
      proposals: 'status.proposals',
      open: 'status.open',
      'next proposal': 'status.next.proposal',
      'next step': 'status.next.due_ms',
      permissions: ({ status }: View) =>
        viewsOf(viewOf(status).permissions)
          .map(({ name }) => textOf(name))
          .join(' ') || undefined,
      council: 'status.council.term',
      'council until': 'status.council.until_ms',
      'other holders': {
        named: ({ other_holders: others }: View) => viewsOf(others).map(holderText).join('\n') || undefined,
      },
      'validators ready': readyText,
    },
  },
  'gov tally': { route: ({ gov }) => gov.tally, examples: ['1', '1 --json'], ...ofProposal },
  'gov track list': {
    route: ({ gov }) => gov.tracks,
    examples: ['', '--json'],
    columns: {
      TRACK: 'id',
      NAME: 'track.name',
      ELECTORATE: electorateText,
      SCOPE: ({ track }: View) => textOf(viewOf(track).scope),
      VOTING: 'track.voting_ms',
      DELAY: 'track.timelock_ms',
      OPEN: 'open',
    },
  },
  'gov unlocks': { route: ({ gov }) => gov.unlocks, examples: ['', '--json'] },
  'ministry denylist': {
    route: ({ ministry }) => ministry.denylist,
    examples: ['', '--family sha256 --json'],
    about: { family: 'only hashes of this family' },
    omit: ['hash'],
    columns: { FAMILY: 'family', HASH: 'hash', AGENDA: 'agenda', SINCE: 'since_ms' },
  },
  'ministry list': {
    route: ({ ministry }) => ministry.agendas,
    examples: ['', '--status open --json'],
    about: { status: 'only agendas with this status' },
    columns: { AGENDA: 'id', STATUS: 'status', ACTION: 'content.action', TITLE: 'content.title', BY: 'by' },
  },
  'ministry policies': {
    route: ({ ministry }) => ministry.policies,
    examples: ['', '--json'],
    columns: { POLICY: 'name', REVISION: 'revision', BLAKE3: 'blake3', AGENDA: 'agenda', SINCE: 'since_ms' },
  },
  'ministry show': {
    route: ({ ministry }) => ministry.agenda,
    examples: ['AC-2026-1', 'AC-2026-1 --json'],
    names: { id: 'agenda' },
    about: { id: 'id of the agenda' },
  },
}
