/**
 * Owns the registration of a name from the command line: commitment, wait, reveal, and resumption after an
 * interruption.
 */
import { randomBytes } from 'node:crypto'
import { sleep } from '../../base/sleep.js'
import type { CausewayClient, TransactionOutcome } from '../../client/index.js'
import type { SigningKey } from '../../crypto/signing-key.js'
import { instructions as names } from '../../features/names/schema/instructions.js'
import { COMMITMENT_MIN_MS, commitmentOf, SALT_BYTES } from '../../features/names/schema/records.js'
import {
  accountOfPair,
  anyInstruction,
  type Instruction,
  LedgerError,
  type NameId,
  nameText,
} from '../../model/index.js'
import {
  gatewayKey,
  getView,
  optionalView,
  postView,
  stateError,
  stateJson,
  textOf,
  type View,
} from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import type { Output } from '../terminal/output.js'
import { withProgress } from '../terminal/progress.js'
import { type ReviewFlags, reviewed } from '../transaction/review.js'
import { type Signing, withSigning } from '../transaction/submit.js'
import { dropPending, keepPending, type PendingRegistration, readPending } from './pending.js'

/** Registration: name, owner, term and limits. */
export interface Registration {
  readonly name: NameId
  readonly years: number
  /** Account that the name resolves to, as text; absent: the account of the key. */
  readonly account: string | undefined
  /** Maximum price; absent: the price that the gateway reports now. */
  readonly maxPrice: string | undefined
  readonly resume: boolean
  readonly asking: ReviewFlags
}

interface Context {
  readonly settings: Settings
  readonly out: Output
  readonly silent: boolean
}

/** Margin beyond the minimum age of a commitment, in ms: block times are discrete. */
const MARGIN_MS = 500
/** Maximum reveals of one run, if their blocks are too early. */
const REVEALS_MAX = 5

/** Price of a lease reported by the gateway, as the maximum accepted price; undefined for a free lease. */
async function acceptedPrice(
  client: CausewayClient,
  { name, years, maxPrice }: Registration,
): Promise<PendingRegistration['maxPrice']> {
  const found = await postView(client, (all) => all.names.available, { name: nameText(name), years })
  const price = optionalView(found.price)
  const [definition, amount] = [textOf(price?.definition), maxPrice ?? textOf(price?.amount)]
  return definition === undefined || amount === undefined ? undefined : { definition, amount }
}

/** Account and maximum price of a registration. */
type Terms = Pick<PendingRegistration, 'account' | 'alias' | 'maxPrice'>

/**
 * Terms of a registration by its flags. Those that a continued registration omits are the ones that were kept. Throws
 * `alias_moved` if a kept alias resolves to another account than before.
 */
export async function termsOf(
  { client, names }: Pick<Signing, 'client' | 'names'>,
  asked: Registration,
  kept: Partial<Terms> = {},
): Promise<Terms> {
  const given = asked.account ?? kept.alias ?? kept.account
  const account = given === undefined ? undefined : await names.account(given)
  if (asked.account === undefined && kept.account !== account)
    throw new LedgerError('alias_moved', `alias ${given} resolves to another account than at the commitment`, {
      hint: 'Check the account, and try --account with --resume.',
    })
  const maxPrice =
    asked.maxPrice === undefined && kept.maxPrice !== undefined ? kept.maxPrice : await acceptedPrice(client, asked)
  return { account, alias: given !== account ? given : undefined, maxPrice }
}

/** Instructions that reveal a registration, preceded by the assertion of the alias of its account. */
export function revealOf(
  { read, names: resolved, address }: Pick<Signing, 'read' | 'names' | 'address'>,
  { domain, label }: NameId,
  { salt, years, account, maxPrice }: Omit<PendingRegistration, 'format'>,
): readonly Instruction[] {
  const terms = { account: account ?? null, max_price: maxPrice === undefined ? null : { ...maxPrice } }
  const registering = { domain, label, owner: address, years, salt, ...terms }
  return resolved.asserted([read(names.registerName, registering)])
}

/** Name as reported by the gateway; undefined if it does not exist. */
export const shownName = (client: CausewayClient, name: string): Promise<View | undefined> =>
  getView(client, (all) => all.names.name, { params: { name } }).catch((error: unknown) => {
    if (error instanceof LedgerError && error.code === 'not_found') return undefined
    throw error
  })

/** Registrations of one account at one gateway. */
class Registrar {
  constructor(
    private readonly context: Context,
    private readonly signing: Signing & { readonly chain: string },
    private readonly signer: SigningKey,
    private readonly asked: Registration,
  ) {}

  private get text(): string {
    return nameText(this.asked.name)
  }

  /** Pending registration to continue; undefined for a new one. */
  private async found(): Promise<PendingRegistration | undefined> {
    const { chain, address: authority } = this.signing
    const found = await readPending({ chain, name: this.text, authority })
    if (found === undefined && this.asked.resume)
      throw new LedgerError('usage', `no registration of ${this.text} is under way`, { hint: 'Omit --resume.' })
    if (found !== undefined && !this.asked.resume)
      throw new LedgerError('usage', `a registration of ${this.text} is under way`, {
        hint: `Continue it: causeway name register ${this.text} --resume`,
      })
    return found
  }

  private async send(instructions: readonly Instruction[]): Promise<TransactionOutcome> {
    const { signer, context, signing } = this
    const { settings, silent } = context
    const options = { signer, until: 'committed' as const, timeoutMs: settings.deadline.leftMs() }
    return withProgress(`waiting for ${instructions.at(-1)?.kind}`, silent, () =>
      signing.client.transactAndWait(instructions, options),
    )
  }

  /** Send the commitment, unless the ledger has it. */
  private async commit(instruction: Instruction): Promise<void> {
    const outcome = await this.send([instruction])
    const failed = stateError(outcome.hash, outcome)
    if (failed !== undefined && failed.code !== 'exists') throw failed
    this.context.out.note(`committed ${outcome.hash}; the registration follows after ${COMMITMENT_MIN_MS / 1_000} s`)
  }

  /** Reveal, and repeat if the block was too early. */
  private async reveal(instructions: readonly Instruction[]): Promise<TransactionOutcome> {
    for (let left = REVEALS_MAX; ; left -= 1) {
      await sleep(COMMITMENT_MIN_MS + MARGIN_MS)
      const outcome = await this.send(instructions)
      if (outcome.rejection?.code !== 'bad_commitment' || left === 1) return outcome
    }
  }

  /** True if the account of the key has the name. */
  private async isHeld(): Promise<boolean> {
    const found = await shownName(this.signing.client, this.text)
    const standing = textOf(found?.standing)
    return textOf(found?.owner) === this.signing.address && standing === 'active'
  }

  async run(): Promise<void> {
    const { codec, read, address, names: resolved, chain } = this.signing
    const { out, settings } = this.context
    const { name, asking } = this.asked
    const found = await this.found()
    if (await this.isHeld()) {
      if (found !== undefined) return this.finished(found, undefined)
      throw new LedgerError('name_taken', `the account holds ${this.text} already`, {
        hint: `Renew it: causeway name renew ${this.text}`,
      })
    }
    const { years } = found ?? this.asked
    const terms = await termsOf(this.signing, { ...this.asked, years }, found)
    const salt = found?.salt ?? randomBytes(SALT_BYTES).toString('hex')
    const kept = { chain, name: this.text, authority: address, salt, years, ...terms }
    const owner = accountOfPair(this.signer)
    const commitment = commitmentOf({ chain, account: owner, name, owner, salt: Buffer.from(salt, 'hex') })
    const committing = read(names.commitName, { commitment: commitment.toString('hex') })
    const revealing = revealOf(this.signing, name, kept)
    const jsonForms = [committing, ...revealing].map((one) => anyInstruction.toJson(one, codec))
    const reader = await this.signing.reading([...jsonForms, address])
    const { resolved: aliases, cautions } = resolved
    const review = { chain, authority: address, aliases, cautions, instructions: jsonForms, reader }
    await reviewed(out, review, asking, settings)
    // On disk before it is sent: a client that dies from here on continues with --resume.
    if (found === undefined) await keepPending(kept)
    await this.commit(committing)
    const outcome = await this.reveal(revealing)
    const failed = stateError(outcome.hash, outcome)
    // A registration of an earlier run that was in flight has used up the commitment.
    const isDone = found !== undefined && failed?.code === 'bad_commitment' && (await this.isHeld())
    if (failed !== undefined && !isDone) {
      await dropPending(kept)
      throw failed
    }
    await this.finished(kept, outcome)
  }

  private async finished(
    kept: Omit<PendingRegistration, 'format'>,
    outcome: TransactionOutcome | undefined,
  ): Promise<void> {
    await dropPending(kept)
    const found = (await shownName(this.signing.client, this.text)) ?? {}
    const { owner, expires_ms: end } = found
    const sent = outcome === undefined ? {} : stateJson(outcome.hash, outcome)
    const text = `${this.text} is registered until ${new Date(Number(textOf(end) ?? 0)).toISOString()}`
    this.context.out.result({ ...sent, name: this.text, owner, expires_ms: end }, text)
  }
}

/** Register a name with the key of the settings, or continue a registration. */
export async function registerName(context: Context, asked: Registration): Promise<void> {
  const signer = await gatewayKey(context.settings)
  await withSigning(context.settings, signer, (signing) => new Registrar(context, signing, signer, asked).run())
}
