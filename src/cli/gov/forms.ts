/** Owns the arguments and flags of the commands on governance, and the list of a proposal. */
import { Args, Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { clientCodec } from '../../features/composed.js'
import { type AgendaContent, agendaContent, agendaDigest } from '../../features/ministry/schema/records.js'
import { LedgerError } from '../../model/index.js'
import { getView, viewOf } from '../gateway/gateway.js'
import type { Drafting } from '../ledger/command.js'
import { instructionsOfFile, jsonOrText } from '../ledger/forms.js'
import { usageError } from '../terminal/failure.js'

export const proposalArg = {
  proposal: Args.integer({ description: 'number of the proposal', required: true, min: 0, ignoreStdin: true }),
}
/** Validator whose vote the account of the key casts. */
export const peerFlag = {
  peer: Flags.string({ description: 'validator that the key acts for, on a track of validators' }),
}
/** Flags of every proposal. */
export const headingFlags = {
  track: Flags.integer({ description: 'number of the track', required: true, min: 0 }),
  title: Flags.string({ description: 'title, at most 128 bytes', required: true }),
  summary: Flags.string({ description: 'summary, at most 1 KiB', default: '' }),
  link: Flags.string({ description: 'address of a longer text' }),
  force: Flags.boolean({ description: 'propose although the instructions would fail now' }),
  ...peerFlag,
}

/**
 * Application of an agenda, by the digest computed from the gateway's data. Throws `proof_invalid` if its digest
 * differs.
 */
async function applicationOf({ client, codec }: Drafting, id: string): Promise<Json> {
  const view = await getView(client, ({ ministry }) => ministry.agenda, { params: { id } })
  const content = agendaContent.fromJson(viewOf(view.content) as Json, codec)
  if (!content.ok) throw new Error('a validated response does not match its schema')
  const digest = agendaDigest(id, content.value satisfies AgendaContent).toString('hex')
  if (digest !== view.digest)
    throw new LedgerError('proof_invalid', `the content of agenda ${id} from the gateway does not match its digest`, {
      hint: 'Ask another node; nothing was signed.',
    })
  return { ApplyAgenda: { agenda: id, digest } }
}

/** Instruction that sets a parameter, from `NAME=VALUE`. Throws `usage`. */
function settingOf(text: string): Json {
  const at = text.indexOf('=')
  if (at < 1) throw usageError(`--set: "${text}" is not a setting`, 'Write NAME=VALUE, for example block_time_ms=50.')
  return { SetParameter: { name: text.slice(0, at), value: jsonOrText(text.slice(at + 1)) } }
}

/** Instructions of a proposal from a file, from settings and from an agenda. Throws `usage` if there are none. */
export async function proposedList(
  drafting: Drafting,
  file: string | undefined,
  { set = [], agenda }: { readonly set?: readonly string[] | undefined; readonly agenda?: string | undefined },
): Promise<readonly Json[]> {
  const list = [
    ...(file === undefined ? [] : await instructionsOfFile(file)),
    ...set.map(settingOf),
    ...(agenda === undefined ? [] : [await applicationOf(drafting, agenda)]),
  ]
  if (list.length === 0) throw usageError('no instruction is given', 'Give a file, --set or --agenda.')
  return list
}

/** Codec for canonical bytes, which do not depend on an address prefix. */
export const CANONICAL = clientCodec('')
