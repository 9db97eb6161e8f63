/** Owns building unsigned transactions on the command line, with a node or, given chain and address, without one. */
import type { TransactionDraft } from '../../client/index.js'
import type { CodecContext, Json } from '../../codec/index.js'
import { clientCodec } from '../../features/composed.js'
import { type AccountId, accountOfPair, instructionsOf, parseAddress, transactionMetadata } from '../../model/index.js'
import { gatewayKey, withGateway } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import { usageError } from '../terminal/failure.js'
import { Names } from './resolve.js'

/** Fields of a draft besides its instructions. */
export interface DraftOptions {
  /** Authority, address or alias; the account of the key when absent. */
  readonly account: string | undefined
  /** Given: no node is asked. */
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
}

function addressOf(text: string, prefix: string): AccountId {
  const account = parseAddress(text, prefix)
  if (account === undefined) throw usageError(`--account "${text}" is not an address of this chain`)
  return account
}

async function placeOf(settings: Settings, { account, chain }: DraftOptions): Promise<Place> {
  if (chain !== undefined) {
    if (account === undefined || account.includes('@')) {
      throw usageError(
        '--chain requires the address of the authority as --account: aliases cannot be resolved without a node',
      )
    }
    const prefix = account.slice(0, Math.max(0, account.lastIndexOf('1')))
    return { chain, codec: clientCodec(prefix), authority: addressOf(account, prefix) }
  }
  const own = account === undefined ? accountOfPair(await gatewayKey(settings)) : undefined
  return withGateway(settings, async (client) => {
    const { chain: name, addressPrefix } = await client.chain()
    const authority = own ?? addressOf(await new Names(client, settings).account(account ?? ''), addressPrefix)
    return { chain: name, codec: await client.codec(), authority }
  })
}

/** Lays out a transaction of instructions in JSON. Throws the codec's code with the place of a fault. */
export async function draftOf(
  settings: Settings,
  twins: readonly Json[],
  options: DraftOptions,
): Promise<TransactionDraft> {
  const { buildTransaction } = await import('../../client/index.js')
  const { chain, codec, authority } = await placeOf(settings, options)
  const decoded = transactionMetadata.fromJson(options.metadata, codec)
  if (!decoded.ok) throw usageError(`--metadata: ${decoded.fault.message}`)
  return buildTransaction({
    chain,
    authority,
    codec,
    instructions: instructionsOf(twins, codec),
    ttlMs: options.ttlMs,
    metadata: decoded.value,
    nonce: options.nonce,
    dataspace: options.dataspace === undefined ? undefined : BigInt(options.dataspace),
  })
}
