/** Owns proposals on the command line: their simulation before they are sent, and the check of a digest before a ballot. */
import type { Json } from '../../codec/index.js'
import { instructions, type SubmitProposal } from '../../features/gov/schema/instructions.js'
import { contentDigest } from '../../features/gov/schema/records.js'
import { type ProposalView, proposalView } from '../../features/gov/schema/views.js'
import {
  anyInstruction,
  isErrorCode,
  LedgerError,
  storedInstructions,
  type TypedInstruction,
} from '../../model/index.js'
import { getJson, postView, textOf, viewOf } from '../gateway/gateway.js'
import type { Drafting } from '../ledger/command.js'
import { CANONICAL } from './forms.js'

/** Fields of a proposal from its flags. */
interface Heading {
  readonly track: number
  readonly title: string
  readonly summary: string
  readonly link?: string | undefined
  readonly peer?: string | undefined
  readonly force?: boolean | undefined
}

/** Proposal of a list of instructions. Throws the error with which the list would fail now, unless `force` is given. */
export async function proposalOf(
  drafting: Drafting,
  { track, title, summary, link, peer, force }: Heading,
  list: readonly Json[],
): Promise<TypedInstruction<SubmitProposal>> {
  const shown = { track, title, summary, link: link ?? null, peer: peer ?? null, instructions: list }
  const built = drafting.read(instructions.submitProposal, shown)
  if (force === true) return built
  const record = instructions.submitProposal.schema.toJson(built.value, drafting.codec)
  const { simulation } = await postView(drafting.client, ({ gov }) => gov.proposalDraft, record)
  const { error, message, position } = viewOf(simulation)
  if (error === undefined || error === null) return built
  const code = textOf(error) ?? ''
  const at = textOf(position) === undefined ? '' : ` at instruction ${textOf(position)}`
  throw new LedgerError(isErrorCode(code) ? code : 'not_a_gateway', `cannot propose${at}: ${textOf(message) ?? code}`, {
    hint: 'Change the instructions, or give --force if they will succeed later.',
  })
}

/** Proposal whose digest was computed from its instructions. */
export interface CheckedProposal {
  readonly view: ProposalView
  /** Digest in hex. */
  readonly digest: string
  /** Human-readable instructions. */
  readonly lines: readonly string[]
}

/** Proposal by number. Throws `proof_invalid` if its digest does not match the instructions from the gateway. */
export async function checkedProposal(drafting: Drafting, number: number): Promise<CheckedProposal> {
  const { client, codec, reading } = drafting
  const params = { id: String(number) }
  const decoded = proposalView.fromJson(await getJson(client, ({ gov }) => gov.proposal, { params }), codec)
  if (!decoded.ok) throw new Error('a validated response does not match its schema')
  const view = decoded.value
  const { chain } = await client.chain()
  const content = storedInstructions.encode(view.instructions, CANONICAL)
  const { track: trackId, rules: track } = view
  const digest = contentDigest({ chain, number, trackId, track, instructions: content }).toString('hex')
  if (digest !== Buffer.from(view.digest).toString('hex'))
    throw new LedgerError('proof_invalid', `the instructions from the gateway do not match proposal ${number}`, {
      hint: 'Ask another node; nothing was signed.',
    })
  const shown = view.instructions.map((one) => anyInstruction.toJson(one, codec))
  const reader = await reading(shown)
  const lines = shown.flatMap((one) => reader.lines(one)).map((line) => `  ${line}`)
  return { view, digest, lines: [`proposal ${number} on track ${trackId}: ${view.title}`, ...lines] }
}
