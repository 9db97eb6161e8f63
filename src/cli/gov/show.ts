/** Owns the display of proposals: their fields, and the line of their changes. */
import { isJsonList } from '../../codec/schema.js'
import type { Columns } from '../command/columns.js'
import { textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'

/** Status for display. */
export const statusText = (view: View): string => (textOf(view.status) ?? '').toLowerCase()

/** Share of aye in the weight of aye and nay, in percent. */
function approvalText({ aye, nay }: View): string {
  const [weightFor, against] = [Number(aye), Number(nay)]
  return weightFor + against === 0 ? '' : `, ${Math.round((100 * weightFor) / (weightFor + against))} % of the weight`
}

/** Counts of a proposal: `aye 3, nay 1, 75 % of the weight, quorum 2 reached`. */
export function tallyText(view: View): string {
  const tally = viewOf(view.tally)
  const { ayes, nays, abstains, quorum, is_quorate: isQuorate } = tally
  const abstained = textOf(abstains) === '0' ? '' : `, abstain ${textOf(abstains)}`
  const reached = isQuorate === true ? ' reached' : ''
  return `aye ${textOf(ayes)}, nay ${textOf(nays)}${abstained}${approvalText(tally)}, quorum ${textOf(quorum)}${reached}`
}

const instructionTexts = ({ instructions }: View): string[] =>
  isJsonList(instructions) ? instructions.map((one) => JSON.stringify(one)) : []

const errorText = ({ error, attempts }: View): string | undefined => {
  const { code, position } = viewOf(error)
  if (code === undefined) return undefined
  const at = textOf(position) === undefined ? '' : ` at instruction ${textOf(position)}`
  return `error ${textOf(code)}${at} in attempt ${textOf(attempts)}`
}

/** Fields of `gov show`. */
export const proposalFields: Columns = {
  proposal: 'proposal',
  title: 'title',
  track: ({ track, track_name: name }) => `${textOf(track)} (${textOf(name)})`,
  status: statusText,
  proposer: 'proposer',
  summary: ({ summary }) => textOf(summary) || undefined,
  link: 'link',
  digest: 'digest',
  votes: tallyText,
  'approval above': (view) => `${Number(viewOf(view.tally).approval_bps) / 100} %`,
  'voting from': 'voting_from_ms',
  'voting ends': 'end_ms',
  'enacted from': 'enact_from_ms',
  'enacted until': 'enact_until_ms',
  'next step': 'due_ms',
  closed: 'closed_ms',
  failure: errorText,
  deposit: ({ deposit }) => {
    const { amount, definition } = viewOf(deposit)
    return amount === undefined ? undefined : `${textOf(amount)} ${textOf(definition)}`
  },
  instructions: { named: (view) => instructionTexts(view).join('\n') || undefined },
}

/** Summary of a proposal in one line. */
export const changeLine = (view: View): string =>
  [statusText(view), tallyText(view), errorText(view)].filter(Boolean).join('; ')

/** Electorate of a track: `asset vote#bank`, `role board`, `validators`. */
export function electorateText(view: View): string {
  const { electorate } = viewOf(view.track)
  if (typeof electorate === 'string') return electorate.toLowerCase()
  const { Asset: asset, Role: role } = viewOf(electorate)
  if (asset !== undefined) return `asset ${textOf(viewOf(asset).definition)}`
  return role === undefined ? 'validators' : `role ${textOf(viewOf(role).role)}`
}

/** Ballots that hold a lock: `2 of proposal 1 until open`. */
export const heldText = ({ held }: View): string | undefined =>
  viewsOf(held)
    .map(({ amount, proposal, choice }) => `${textOf(amount)} ${textOf(choice)?.toLowerCase()} on ${textOf(proposal)}`)
    .join(', ') || undefined

/**
 * Validators that attested an ABI, counted by its number and hash, because an upgrade needs a quorum with its own; one
 * line each, the most attested first.
 */
export function readyText({ peers }: View): string {
  const { items, quorum } = viewOf(peers)
  const counts = new Map<string, number>()
  for (const { abi, hash } of viewsOf(items)) {
    if (textOf(abi) === undefined) continue
    const name = `ABI ${textOf(abi)} ${textOf(hash)}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const of = `of ${viewsOf(items).length}; an upgrade needs ${textOf(quorum)} with its ABI and hash`
  const lines = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name}: ${count} ${of}`)
  return lines.length === 0 ? `0 ${of}` : lines.join('\n')
}
