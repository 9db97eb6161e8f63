/** Owns the transfers of a file as `ledger asset transfer-batch` takes them. */
import type { Json } from '../../codec/index.js'
import { isJsonList, isJsonObject } from '../../codec/schema.js'
import { usageError } from '../command/failure.js'
import { amountText } from '../input/values.js'
import type { Drafting } from './command.js'

const FIELDS = ['from', 'to', 'amount', 'asset']

/**
 * JSON twins of the transfers in a list of `{to, amount, from?, asset?}`. `common`: asset of those that name none. Throws `usage` for
 * any other field: who wrote "source" for "from" would pay from the account of the key.
 */
export async function transferTwins(
  list: Json,
  name: string,
  common: string | undefined,
  { account }: Pick<Drafting, 'account'>,
): Promise<readonly Json[]> {
  if (!isJsonList(list)) throw usageError(`${name}: expected a list of transfers`)
  const twins: Json[] = []
  for (const [index, one] of list.entries()) {
    const place = `${name}: transfer ${index}`
    const fields = isJsonObject(one) ? one : {}
    const unknown = Object.keys(fields).find((field) => !FIELDS.includes(field))
    if (unknown !== undefined) {
      throw usageError(`${place}: there is no field ${JSON.stringify(unknown)}`, `Fields are ${FIELDS.join(', ')}.`)
    }
    const { from, to, amount, asset = common } = fields
    if (
      typeof to !== 'string' ||
      typeof asset !== 'string' ||
      (typeof amount !== 'string' && typeof amount !== 'number')
    ) {
      throw usageError(`${place} needs to, amount and an asset`)
    }
    if (from !== undefined && typeof from !== 'string') {
      throw usageError(`${place}: from is an address or an alias; left out, it is the account of the key`)
    }
    const balance = { definition: asset, account: await account(from) }
    twins.push({ asset: balance, to: await account(to), amount: amountText(String(amount)) })
  }
  return twins
}
