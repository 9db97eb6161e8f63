/** Owns the review before signing: chain, gateway, key, each instruction, and the accounts of names. */
import type { Json } from '../../codec/index.js'
import type { AliasAnswer } from '../../features/names/schema/aliases.js'
import type { Settings } from '../settings/settings.js'
import { canAsk, withQuestions } from '../terminal/ask.js'
import { usageError } from '../terminal/failure.js'
import type { Output } from '../terminal/output.js'
import { oneLine } from '../text/escape.js'
import { shortened } from '../text/readable.js'
import { InstructionReader } from './instructions.js'

/** Maximum displayed instructions; the number of further ones is shown. */
const SHOWN_MAX = 50

/** Confirmation flags of a signing command. */
export interface ReviewFlags {
  readonly yes?: boolean | undefined
  readonly 'no-input'?: boolean | undefined
}

/** Alias resolved by the gateway. */
export interface ResolvedAlias {
  /** Address of the account, or id of the asset definition. */
  readonly address: string
  /** Height at which a proof shows it; undefined: reported by the gateway without proof. */
  readonly provenAt: number | undefined
  /** Other properties that the gateway reports. */
  readonly answer?: AliasAnswer
}

/** Time for which an owner must have had a name before it is paid without a confirmation. */
const SETTLED_NAME_MS = 30 * 24 * 60 * 60 * 1000

/** Reason why paying to a name requires a confirmation; names assigned by the owner of a domain are as trusted as the domain. */
export function cautionOf({ canonical, kind, standing, sinceMs }: AliasAnswer, nowMs: number): string | undefined {
  if (standing === 'grace') return `${canonical} has expired and is in its time of grace`
  if ((kind !== 'leased' && kind !== 'sub') || sinceMs === undefined || nowMs - sinceMs >= SETTLED_NAME_MS)
    return undefined
  return `${canonical} has had its owner for less than 30 days`
}

/** Texts of the states of an alias. */
const STANDING_TEXTS: Readonly<Record<AliasAnswer['standing'], string>> = {
  live: 'in force',
  active: 'registered',
  grace: 'expired, in its time of grace',
  quarantine: 'in quarantine',
  open: 'not registered',
}

/** Home domain of the account and state of an alias. */
const placeText = ({ homeDomain, standing }: AliasAnswer): string =>
  `${homeDomain === undefined ? '' : `, home domain ${homeDomain}`}, name ${STANDING_TEXTS[standing]}`

/** Content to be signed. */
export interface Review {
  readonly chain: string
  /** Address of the acting account. */
  readonly authority: string
  /** Expiry; undefined: a short time from now. */
  readonly expires?: string
  readonly instructions: readonly Json[]
  /** Reader of the instructions; absent if no data of a gateway is available. */
  readonly reader?: InstructionReader
  readonly aliases?: ReadonlyMap<string, ResolvedAlias>
  /** Warnings that the user has to confirm, including on a local network. */
  readonly cautions?: readonly string[]
  /** Additional lines for the signer. */
  readonly more?: readonly string[]
}

/** Instruction as signed, with long texts as digests. */
const wholeText = (jsonForm: Json): string =>
  JSON.stringify(jsonForm, (_name, value: unknown) => (typeof value === 'string' ? shortened(value) : value))

/** Lines of the review. */
export function reviewLines(review: Review, from: string, verbose = false): string[] {
  const { chain, authority, expires, instructions, aliases = new Map(), cautions = [], more = [] } = review
  const { reader = new InstructionReader() } = review
  const names = [...aliases].map(([alias, { address, provenAt, answer }]) => {
    const why = provenAt === undefined ? 'as reported by the gateway' : `proven at height ${provenAt}`
    return `  ${alias} is ${address}${answer === undefined ? '' : placeText(answer)} (${why})`
  })
  const left = instructions.length - SHOWN_MAX
  return [
    `To be signed for chain ${chain}${from} as ${reader.names.named(authority)}${expires === undefined ? '' : `, valid until ${expires}`}:`,
    ...instructions
      .slice(0, SHOWN_MAX)
      .flatMap((one) => [...reader.lines(one), ...(verbose ? [wholeText(one)] : [])])
      .map((line) => `  ${line}`),
    ...(left > 0 ? [`  and ${left} more instructions`] : []),
    ...names,
    ...cautions.map((line) => `  Caution: ${line}`),
    ...more.map((line) => `  ${line}`),
  ].map(oneLine)
}

/**
 * Show the content to be signed, and ask on a terminal unless `--yes` is given. A local network is shown without asking
 * unless there are cautions. `settings`: the settings of a command that signs for a gateway. Throws `usage` if the user
 * declines.
 */
export async function reviewed(
  out: Output,
  review: Review,
  flags: ReviewFlags,
  settings: Pick<
    Settings,
    'gateway' | 'gatewaySource' | 'keyFile' | 'signerCommand' | 'keySource' | 'isLocal' | 'deadline'
  >,
  offline = false,
): Promise<void> {
  const { gateway, gatewaySource, keyFile, signerCommand, keySource, isLocal, deadline } = settings
  const from = offline ? '' : ` at ${gateway} (from ${gatewaySource})`
  const lines = [
    ...reviewLines(review, from, out.verbose),
    oneLine(
      `  with the key ${signerCommand === undefined ? (keyFile ?? '') : `of ${signerCommand}`} (from ${keySource})`,
    ),
  ]
  const isCareful = review.cautions !== undefined && review.cautions.length > 0 && flags.yes !== true
  const canConfirm = canAsk(flags['no-input'] === true)
  if (isCareful && !canConfirm) {
    throw usageError(`cannot sign without a confirmation: ${review.cautions?.join('; ')}`, 'Check it, then try --yes.')
  }
  const asks = flags.yes !== true && (!isLocal || offline || isCareful) && canConfirm
  if (!asks) return out.note(lines.join('\n'))
  const answer = await deadline.outside(() =>
    withQuestions(async (questions) => {
      for (const line of lines) questions.print(line)
      return questions.ask({ text: 'Sign this? yes or no', fallback: 'no' })
    }),
  )
  if (answer !== 'yes' && answer !== 'y') throw usageError('not confirmed: nothing was signed')
}
