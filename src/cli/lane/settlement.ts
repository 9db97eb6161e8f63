/** Owns settlements on the command line: one file that parties exchange, with the terms and the signed agreements. */
import type { CausewayClient } from '../../client/index.js'
import { type CodecContext, formatNumeric, type Json, parseNumeric } from '../../codec/index.js'
import type { SigningKey } from '../../crypto/signing-key.js'
import { type SettleDvp, type SettlePvp, settlementObject } from '../../features/lanes/schema/instructions.js'
import { instructions as permissions } from '../../features/permissions/schema.js'
import {
  type AccountId,
  anyInstruction,
  expiresAtMs,
  formatAddress,
  type Instruction,
  instructionsOf,
  LedgerError,
  parseAddress,
  type SignedTransaction,
  signedTransaction,
  subtract,
  transactionId,
} from '../../model/index.js'
import { stateError, type View } from '../gateway/gateway.js'
import { inputName } from '../input/input.js'
import { instructionsJson, readJsonInput } from '../input/json.js'
import { amountText } from '../input/values.js'
import { usageError } from '../terminal/failure.js'
import { dryRunError, dryRunOf } from '../transaction/dry-run.js'
import type { Review } from '../transaction/review.js'
import type { Signing } from '../transaction/submit.js'

/** Settlement file that the parties exchange: the settlement, and the agreements so far, as signed transactions. */
export interface SettlementFile {
  readonly instructions: readonly Json[]
  readonly agreements: readonly Json[]
}

/** Settlement file at a path, or a bare settlement without agreements. */
export async function readSettlement(path: string): Promise<SettlementFile> {
  const json = await readJsonInput(path)
  const instructions = instructionsJson(json, inputName(path))
  const { agreements } = json as { readonly agreements?: Json }
  return { instructions, agreements: Array.isArray(agreements) ? agreements : [] }
}

/** Amount in the form of the ledger, and its definition. */
interface AssetAmount {
  readonly amount: string
  readonly definition: string
}

/** Amount and definition of `12.50 eur#bank`. */
export function amountOfAsset(text: string, flag: string): AssetAmount {
  const [, amount, definition] = /^(\S+)\s+(\S+[#@:]\S+)$/.exec(text.trim()) ?? []
  if (amount === undefined || definition === undefined) {
    throw usageError(`${flag} "${text}": expected an amount and its definition, such as "12.50 eur#bank"`)
  }
  return { amount: amountText(amount), definition }
}

/** JSON form of a receipt; `after`: amount after the haircut, by default the amount due. Throws `usage`. */
export function receiptJson(local: AssetAmount, due: AssetAmount, after: string | undefined): Json {
  const left = after === undefined ? due.amount : amountText(after)
  const [owed, kept] = [parseNumeric(due.amount), parseNumeric(left)]
  const variance = owed === undefined || kept === undefined ? undefined : subtract(owed, kept)
  if (variance === undefined) throw usageError(`--after ${left}: exceeds the amount due, ${due.amount}`)
  return {
    local_definition: local.definition,
    local_amount: local.amount,
    unit_definition: due.definition,
    unit_due: due.amount,
    unit_after_haircut: left,
    unit_variance: formatNumeric(variance),
  }
}

/** Terms of a settlement and the payers of its legs. */
interface Terms {
  readonly id: string
  readonly legs: SettleDvp['delivery'][]
}

/** The only settlement among instructions. */
function termsOf(jsonForms: readonly Json[], codec: CodecContext): Terms {
  // Parties agree to ids: an alias in the file is a fault.
  const found = instructionsOf(jsonForms, { ...codec, aliases: undefined }).filter(
    (one) => one.kind === 'settleDvp' || one.kind === 'settlePvp',
  )
  const [only, ...others] = found
  if (only === undefined || others.length > 0) {
    throw new LedgerError('bad_value', 'expected one settlement: {"SettleDvp": {...}} or {"SettlePvp": {...}}')
  }
  if (only.kind === 'settleDvp') {
    const { id, delivery, payment } = only.value as SettleDvp
    return { id, legs: [delivery, payment] }
  }
  const { id, first, second } = only.value as SettlePvp
  return { id, legs: [first, second] }
}

/** Signer as an account. */
const ownAccount = ({ address, codec }: Pick<Signing, 'address' | 'codec'>): AccountId =>
  parseAddress(address, codec.addressPrefix) as AccountId

/** Grant by which the signing account agrees; throws unless it pays a leg. */
export async function agreementOf(
  jsonForms: readonly Json[],
  submitter: string,
  signing: Signing,
): Promise<Instruction> {
  const { names, codec, address, read } = signing
  const { id, legs } = termsOf(jsonForms, codec)
  const own = ownAccount(signing)
  if (!legs.some((leg) => leg.asset.account === own)) {
    throw new LedgerError('bad_value', `settlement ${id} has no leg from ${address} to agree to`)
  }
  const permission = { name: 'CanSettle', object: settlementObject(id, legs, own) }
  return read(permissions.grant, {
    subject: { Permission: permission },
    to: { Account: await names.account(submitter) },
  })
}

/** File with the agreement of the signing account, replacing its earlier one. */
export async function withAgreement(
  file: SettlementFile,
  submitter: string,
  signer: Signing & { readonly pair: SigningKey; readonly chain: string; readonly ttlMs: number },
  review: (what: Review) => Promise<void>,
): Promise<SettlementFile> {
  const { client, codec, chain, pair, ttlMs } = signer
  const agreement = await agreementOf(file.instructions, submitter, signer)
  const authority = ownAccount(signer)
  // The grant names the terms only by hash: they are the subject of the agreement.
  const terms = file.instructions.map((one) => `agreeing to ${JSON.stringify(one)}`)
  const { address, names } = signer
  const { resolved: aliases, cautions } = names
  const instructions = names.asserted([agreement])
  const jsonForms = instructions.map((one) => anyInstruction.toJson(one, codec))
  await review({ chain, authority: address, instructions: jsonForms, aliases, cautions, more: terms })
  const { bytes } = await client.sign(instructions, { signer: pair, ttlMs })
  const signed = signedTransaction.decode(bytes, codec)
  if (!signed.ok) throw new Error(`an own record does not decode: ${signed.fault.message}`)
  const others = agreementsOf(file, codec).filter((one) => one.signed.payload.value.authority !== authority)
  return {
    instructions: file.instructions,
    agreements: [...others.map((one) => one.jsonForm), signedTransaction.toJson(signed.value, codec)],
  }
}

interface Agreement {
  readonly jsonForm: Json
  readonly signed: SignedTransaction
}

function agreementsOf({ agreements }: SettlementFile, codec: CodecContext): Agreement[] {
  return agreements.map((jsonForm, index) => {
    const decoded = signedTransaction.fromJson(jsonForm, codec)
    if (decoded.ok) return { jsonForm, signed: decoded.value }
    throw new LedgerError(decoded.fault.code, `agreements[${index}]: ${decoded.fault.message}`)
  })
}

/** Grant of an agreement, if it is one. */
function grantOf({ signed }: Agreement): { readonly object: string | undefined; readonly to: AccountId } | undefined {
  const [only, ...others] = signed.payload.value.executable.value.filter(({ kind }) => kind !== 'assertAliases')
  if (only?.kind !== 'grant' || others.length > 0) return undefined
  const { subject, to } = only.value as {
    readonly subject: { readonly kind: string; readonly value: { readonly name?: string; readonly object?: string } }
    readonly to: { readonly kind: string; readonly value: AccountId }
  }
  const isIt = subject.kind === 'permission' && subject.value.name === 'CanSettle' && to.kind === 'account'
  return isIt ? { object: subject.value.object, to: to.value } : undefined
}

/**
 * Agreements of a file that the signing account needs to settle. Throws `not_permitted` if a party did not agree to
 * exactly these terms and this submitter.
 */
function agreementsFor(file: SettlementFile, signing: Signing): SignedTransaction[] {
  const { codec } = signing
  const { id, legs } = termsOf(file.instructions, codec)
  const submitter = ownAccount(signing)
  const held = agreementsOf(file, codec)
  const parties = new Set(legs.map((leg) => leg.asset.account).filter((account) => account !== submitter))
  return [...parties].map((party) => {
    const object = settlementObject(id, legs, party)
    const found = held.find((one) => {
      const grant = grantOf(one)
      return one.signed.payload.value.authority === party && grant?.object === object && grant.to === submitter
    })
    if (found !== undefined) return found.signed
    const address = formatAddress(party, codec.addressPrefix)
    throw new LedgerError('not_permitted', `${address} has not agreed to these terms with you as the submitter`, {
      hint: `causeway lane settlement sign FILE --to ${signing.address} --key-file ...`,
      details: { account: address, settlement: id },
    })
  })
}

/** Submit the agreements of a file, so that the signing account may settle; sends all agreements or none. */
export async function submitAgreements(file: SettlementFile, signing: Signing, timeoutMs: number): Promise<void> {
  for (const signed of agreementsFor(file, signing)) await bring(signing.client, signed, signing.codec, timeoutMs)
}

/** Try the uncommitted agreements of a file without sending them. Throws like `submitAgreements`. */
export async function tryAgreements(file: SettlementFile, signing: Signing): Promise<View[]> {
  const { client, codec } = signing
  const views: View[] = []
  for (const { payload } of agreementsFor(file, signing)) {
    const { state } = await client.transactionStatus(transactionId(payload.bytes).toString('hex'))
    if (state === 'approved') continue
    const view = await dryRunOf(client, payload.value, codec)
    const rejected = dryRunError(view)
    if (rejected !== undefined) throw rejected
    views.push(view)
  }
  return views
}

/**
 * Submit a signed record unless it is already in a block, and wait for its block; throws the rejection of the ledger.
 */
async function bring(
  client: CausewayClient,
  signed: SignedTransaction,
  codec: CodecContext,
  timeoutMs: number,
): Promise<void> {
  const hash = transactionId(signed.payload.bytes).toString('hex')
  const before = await client.transactionStatus(hash)
  if (before.state !== 'approved') await client.submitTransaction(signedTransaction.encode(signed, codec))
  const state =
    before.state === 'approved'
      ? await client.prove(hash, before)
      : await client.waitTransaction(hash, { timeoutMs, expiresAtMs: expiresAtMs(signed.payload.value) })
  const failed = stateError(hash, state)
  if (failed !== undefined) throw failed
}
