/** Owns building unsigned transactions on the command line, with a node or, given chain and address, without one. */
import { isAliasText } from '../../api/alias-ids.js'
import type { TransactionDraft } from '../../client/index.js'
import type { CodecContext, Json } from '../../codec/index.js'
import { isJsonObject } from '../../codec/schema.js'
import { clientCodec } from '../../features/composed.js'
import {
  type AccountId,
  accountOfPair,
  type Instruction,
  instructionsOf,
  parseAddress,
  transactionMetadata,
} from '../../model/index.js'
import { gatewayKey, withGateway } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import { usageError } from '../terminal/failure.js'
import { Names } from './resolve.js'

/** Fields of a draft besides its instructions. */
export interface DraftOptions {
  /** Authority, as address or alias; default: the account of the key. */
  readonly account: string | undefined
  /** Chain; if given, no node is contacted. */
  readonly chain: string | undefined
  readonly ttlMs: number
  readonly nonce: number | undefined
  readonly dataspace: number | undefined
  readonly metadata: Json
}

/** Chain, codec and authority of a draft. */
interface Place {
  readonly chain: string
  readonly codec: CodecContext
  readonly authority: AccountId
  readonly instructions: readonly Instruction[]
  readonly metadata: Json
}

function addressOf(text: string, prefix: string): AccountId {
  const account = parseAddress(text, prefix)
  if (account === undefined) throw usageError(`--account "${text}" is not an address of this chain`)
  return account
}

async function placeOf(
  settings: Settings,
  jsonForms: readonly Json[],
  { account, chain, metadata }: DraftOptions,
): Promise<Place> {
  if (chain !== undefined) {
    if (account === undefined || isAliasText(account)) {
      throw usageError(
        '--chain requires the address of the authority as --account: aliases cannot be resolved without a node',
      )
    }
    const prefix = account.slice(0, Math.max(0, account.lastIndexOf('1')))
    const codec = clientCodec(prefix)
    const instructions = instructionsOf(jsonForms, codec)
    return { chain, codec, authority: addressOf(account, prefix), instructions, metadata }
  }
  const own = account === undefined ? accountOfPair(await gatewayKey(settings)) : undefined
  return withGateway(settings, async (client) => {
    const { chain: name, addressPrefix } = await client.chain()
    const names = new Names(client, settings)
    const codec = await client.codec()
    const authority = own ?? addressOf(await names.account(account ?? ''), addressPrefix)
    const paid = await withSponsor(metadata, names)
    const built = await names.settled(() =>
      jsonForms.map((jsonForm, index) => names.instruction(jsonForm, index, codec)),
    )
    return { chain: name, codec, authority, instructions: names.asserted(built), metadata: paid }
  })
}

/** Metadata with the address of the fee sponsor, which may be given as an alias. */
async function withSponsor(metadata: Json, names: Names): Promise<Json> {
  if (!isJsonObject(metadata) || typeof metadata.fee_sponsor !== 'string') return metadata
  return { ...metadata, fee_sponsor: await names.account(metadata.fee_sponsor) }
}

/** Build a transaction from instructions in JSON. Throws a codec error with the position of a fault. */
export async function draftOf(
  settings: Settings,
  jsonForms: readonly Json[],
  options: DraftOptions,
): Promise<TransactionDraft> {
  const { buildTransaction } = await import('../../client/index.js')
  const { chain, codec, authority, instructions, metadata } = await placeOf(settings, jsonForms, options)
  const decoded = transactionMetadata.fromJson(metadata, codec)
  if (!decoded.ok) throw usageError(`--metadata: ${decoded.fault.message}`)
  return buildTransaction({
    chain,
    authority,
    codec,
    instructions,
    ttlMs: options.ttlMs,
    metadata: decoded.value,
    nonce: options.nonce,
    dataspace: options.dataspace === undefined ? undefined : BigInt(options.dataspace),
  })
}
