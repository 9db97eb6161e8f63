/**
 * Owns the registration of a name from the command line: commitment, wait, reveal, and resumption after an
 * interruption.
 */
import { randomBytes } from 'node:crypto'
import { sleep } from '../../base/sleep.js'
import type { CausewayClient, TransactionOutcome } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
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

/** Price of a lease reported by the gateway, as the maximum accepted price. */
async function acceptedPrice(client: CausewayClient, { name, years, maxPrice }: Registration): Promise<Json> {
  const found = await postView(client, (all) => all.names.available, { name: nameText(name), years })
  const price = optionalView(found.price)
  if (price === undefined) return null
  return { definition: price.definition ?? null, amount: maxPrice ?? price.amount ?? null }
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

  /** Pending registration to continue, or a new one written to disk. */
  private async pending(): Promise<PendingRegistration> {
    const { chain, address: authority } = this.signing
    const found = await readPending({ chain, name: this.text, authority })
    if (this.asked.resume) {
      if (found === undefined)
        throw new LedgerError('usage', `no registration of ${this.text} is under way`, { hint: 'Omit --resume.' })
      return found
    }
    if (found !== undefined)
      throw new LedgerError('usage', `a registration of ${this.text} is under way`, {
        hint: `Continue it: causeway name register ${this.text} --resume`,
      })
    const salt = randomBytes(SALT_BYTES).toString('hex')
    const { years } = this.asked
    return { format: 1, chain, name: this.text, authority, salt, years }
  }

  private async send(instruction: Instruction): Promise<TransactionOutcome> {
    const { signer, context, signing } = this
    const { settings, silent } = context
    const options = { signer, until: 'committed' as const, timeoutMs: settings.deadline.leftMs() }
    return withProgress(`waiting for ${instruction.kind}`, silent, () =>
      signing.client.transactAndWait([instruction], options),
    )
  }

  /** Send the commitment, unless the ledger has it. */
  private async commit(instruction: Instruction): Promise<void> {
    const outcome = await this.send(instruction)
    const failed = stateError(outcome.hash, outcome)
    if (failed !== undefined && failed.code !== 'exists') throw failed
    this.context.out.note(`committed ${outcome.hash}; the registration follows after ${COMMITMENT_MIN_MS / 1_000} s`)
  }

  /** Reveal, and repeat if the block was too early. */
  private async reveal(instruction: Instruction): Promise<TransactionOutcome> {
    for (let left = REVEALS_MAX; ; left -= 1) {
      await sleep(COMMITMENT_MIN_MS + MARGIN_MS)
      const outcome = await this.send(instruction)
      if (outcome.rejection?.code !== 'bad_commitment' || left === 1) return outcome
    }
  }

  /** True if an earlier run has registered the name. */
  private async isDone(): Promise<boolean> {
    const found = await shownName(this.signing.client, this.text)
    const standing = textOf(found?.standing)
    return textOf(found?.owner) === this.signing.address && standing === 'active'
  }

  async run(): Promise<void> {
    const { client, codec, read, address, names: resolved, chain } = this.signing
    const { out, settings } = this.context
    const { name, account, asking, resume } = this.asked
    const { domain, label } = name
    const kept = await this.pending()
    if (resume && (await this.isDone())) return this.finished(kept, undefined)
    const { salt: digits, years } = kept
    const salt = Buffer.from(digits, 'hex')
    const owner = accountOfPair(this.signer)
    const commitment = commitmentOf({ chain, account: owner, name, owner, salt })
    const committing = read(names.commitName, { commitment: commitment.toString('hex') })
    const registering = read(names.registerName, {
      domain,
      label,
      owner: address,
      account: account === undefined ? null : await resolved.account(account),
      years,
      salt: digits,
      max_price: await acceptedPrice(client, { ...this.asked, years }),
    })
    const jsonForms = [committing, registering].map((one) => anyInstruction.toJson(one, codec))
    const reader = await this.signing.reading([...jsonForms, address])
    const review = { chain, authority: address, aliases: resolved.resolved, instructions: jsonForms, reader }
    await reviewed(out, review, asking, settings)
    // On disk before it is sent: a client that dies from here on continues with --resume.
    if (!resume) await keepPending(kept)
    await this.commit(committing)
    const outcome = await this.reveal(registering)
    const failed = stateError(outcome.hash, outcome)
    if (failed !== undefined && !(await this.isDone())) {
      await dropPending(kept)
      throw failed
    }
    await this.finished(kept, outcome)
  }

  private async finished(kept: PendingRegistration, outcome: TransactionOutcome | undefined): Promise<void> {
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
