/**
 * Owns membership proofs on the command line: created by one wallet, submitted by another, stored in files that verify
 * offline.
 */

import type { CausewayClient, ConferenceProver, Proven } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { isJsonObject } from '../../codec/schema.js'
import type { Claim, Relation, Statement } from '../../crypto/circuits/conference/index.js'
import type { KeyPair } from '../../crypto/keys.js'
import { anyInstruction, type Instruction, LedgerError, parseAddress } from '../../model/index.js'
import type { WaitMode } from '../input/wait-mode.js'
import { LedgerCommand } from '../ledger/command.js'
import type { SettingFlags, Settings } from '../settings/settings.js'
import { usageError } from '../terminal/failure.js'
import type { ReviewFlags } from '../transaction/review.js'

/** Statement of a proof. */
export type Prove = (prover: ConferenceProver, submitter: string) => Promise<Proven>

const hexOf = (bytes: Uint8Array | undefined): string | null =>
  bytes === undefined ? null : Buffer.from(bytes).toString('hex')

/** Statement in the form of a file. */
function statementJson({ statement: s, keys }: Proven): Json {
  return {
    relation: s.relation,
    chain: s.chain,
    call: s.call,
    submitter: hexOf(s.submitter),
    vk_hash: hexOf(s.vkHash),
    roster_root: hexOf(s.rosterRoot),
    admission_root: hexOf(s.admissionRoot),
    session: s.session ?? null,
    body_hash: hexOf(s.bodyHash),
    duration_ms: s.durationMs === undefined ? null : String(s.durationMs),
    billed_gas: s.billedGas === undefined ? null : String(s.billedGas),
    segment: s.segment ?? null,
    commitment: hexOf(s.commitment),
    nullifier: hexOf(s.nullifier),
    admission_keys: keys?.map(hexOf) ?? [],
  }
}

/** Content of a proof file: instructions for the submitter, and the statement of the proof. */
export interface ProofFile {
  readonly instructions: readonly Json[]
  readonly statement: Json
  readonly proof: string
}

/** Create a proof with the key of a wallet for the account of `submitter`. */
export async function proofFile(
  client: CausewayClient,
  call: string,
  wallet: KeyPair,
  submitter: string,
  prove: Prove,
): Promise<{ file: ProofFile; instruction: Instruction; keys: number | undefined }> {
  const { ConferenceProver } = await import('../../client/index.js')
  const { addressPrefix } = await client.chain()
  const account = parseAddress(submitter, addressPrefix)
  if (account === undefined) throw usageError(`${submitter} is not an address of this chain`)
  const proven = await prove(await ConferenceProver.open(client, call, wallet), account)
  const { value } = proven.instruction as { value: { proof: { bytes: Uint8Array } } }
  const file = {
    instructions: [anyInstruction.toJson(proven.instruction, await client.codec())],
    statement: statementJson(proven),
    proof: Buffer.from(value.proof.bytes).toString('hex'),
  }
  return { file, instruction: proven.instruction, keys: proven.keys?.length }
}

/** Number of admitted keys below which a join hides its key poorly. */
const FEW_KEYS = 8

/** Warning about the privacy of a join by the number of admitted keys, 0 for an open call; none for other proofs. */
export function warningOf(keys: number | undefined): string | undefined {
  if (keys === undefined) return undefined
  if (keys === 0) return 'The call is open: one wallet can have several seats in it.'
  return keys < FEW_KEYS
    ? `Only ${keys} keys are admitted: readers of the ledger may guess which member joined.`
    : undefined
}

type Fields = Readonly<Record<string, Json | undefined>>

/** Claim of a proof file. Throws `bad_value` if it is missing or malformed. */
export function claimOf(json: Json, name: string): Claim {
  const bad = (): never => {
    throw new LedgerError('bad_value', `${name}: not a proof created by \`causeway conference prove\``)
  }
  if (!isJsonObject(json) || !isJsonObject(json.statement) || typeof json.proof !== 'string') return bad()
  const s: Fields = json.statement
  const bytes = (field: string): Buffer | undefined => {
    const text = s[field]
    if (text === null || text === undefined) return undefined
    return typeof text === 'string' && /^([0-9a-f]{2})*$/.test(text) ? Buffer.from(text, 'hex') : bad()
  }
  const point = (field: string): Buffer | undefined => {
    const found = bytes(field)
    return found === undefined || found.length === 32 ? found : bad()
  }
  const whole = (field: string, most: number): number | undefined => {
    const value = s[field]
    if (value === null || value === undefined) return undefined
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : bad()
  }
  const big = (field: string): bigint | undefined => {
    const value = s[field]
    if (value === null || value === undefined) return undefined
    if (typeof value !== 'string' || !/^[0-9]{1,20}$/.test(value) || BigInt(value) >= 2n ** 64n) return bad()
    return BigInt(value)
  }
  const text = (field: string): string => {
    const value = s[field]
    return typeof value === 'string' && value.length <= 300 ? value : bad()
  }
  const relations: readonly string[] = ['openJoin', 'listedJoin', 'leave', 'usage', 'signal'] satisfies Relation[]
  if (!relations.includes(text('relation'))) return bad()
  const list = s.admission_keys
  const keys = (Array.isArray(list) ? list : bad()).map((one) =>
    typeof one === 'string' && /^[0-9a-f]{64}$/.test(one) ? Buffer.from(one, 'hex') : bad(),
  )
  const statement: Statement = {
    relation: text('relation') as Relation,
    chain: text('chain'),
    call: text('call'),
    submitter: bytes('submitter') ?? bad(),
    vkHash: point('vk_hash') ?? bad(),
    rosterRoot: point('roster_root'),
    admissionRoot: point('admission_root'),
    admissionCount: keys.length,
    session: whole('session', 255),
    bodyHash: point('body_hash'),
    durationMs: big('duration_ms'),
    billedGas: big('billed_gas'),
    segment: whole('segment', 2 ** 32 - 1),
    commitment: point('commitment') ?? bad(),
    nullifier: point('nullifier'),
  }
  return /^([0-9a-f]{2})*$/.test(json.proof) && keys.length <= 256
    ? { statement, proof: Buffer.from(json.proof, 'hex'), keys }
    : bad()
}

/** Flags of commands that prove and submit at once. */
export interface PrivateFlags extends SettingFlags, ReviewFlags {
  readonly wait: WaitMode
  readonly 'dry-run': boolean
  readonly 'payer-key-file'?: string | undefined
  readonly 'reveal-submitter': boolean
}

/** Base class of member commands, which prove with their key and let another account submit. */
export abstract class MemberCommand extends LedgerCommand {
  protected async proveAndSend(flags: PrivateFlags, call: string, prove: Prove): Promise<void> {
    const member: Settings = await this.settings(flags)
    const payer = flags['payer-key-file']
    if (payer === undefined && !flags['reveal-submitter']) {
      throw usageError(
        'a private call requires another account to submit for the member',
        'Name --payer-key-file, or --reveal-submitter to submit it yourself.',
      )
    }
    const { gatewayPair } = await import('../gateway/gateway.js')
    const wallet = await gatewayPair(member)
    const settings = payer === undefined ? flags : { ...flags, 'key-file': payer }
    await this.send(settings, async ({ client, address }) => {
      const { instruction, keys } = await proofFile(client, call, wallet, address, prove)
      const warning = warningOf(keys)
      if (warning !== undefined) this.out.note(warning)
      return [instruction]
    })
  }
}
