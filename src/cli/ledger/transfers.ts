/** Owns the transfers of a file for `asset transfer-batch`. */
import type { Json } from '../../codec/index.js'
import { isJsonList, isJsonObject } from '../../codec/schema.js'
import { positiveAmountText } from '../input/values.js'
import { usageError } from '../terminal/failure.js'
import type { Drafting } from './command.js'

const FIELDS = ['from', 'to', 'amount', 'asset']

/**
 * JSON forms of the transfers in a list of `{to, amount, from?, asset?}`. `common`: default asset. Throws `usage` for
 * any other field, since "source" instead of "from" would otherwise pay from the account of the key.
 */
export async function transfersJson(
  list: Json,
  name: string,
  common: string | undefined,
  { account, asset: definitionOf }: Pick<Drafting, 'account' | 'asset'>,
): Promise<readonly Json[]> {
  if (!isJsonList(list)) throw usageError(`${name}: expected a list of transfers`)
  const jsonForms: Json[] = []
  for (const [index, one] of list.entries()) {
    const place = `${name}: transfer ${index}`
    const fields = isJsonObject(one) ? one : {}
    const unknown = Object.keys(fields).find((field) => !FIELDS.includes(field))
    if (unknown !== undefined) {
      throw usageError(`${place}: unknown field ${JSON.stringify(unknown)}`, `Fields are ${FIELDS.join(', ')}.`)
    }
    const { from, to, amount, asset = common } = fields
    if (
      typeof to !== 'string' ||
      typeof asset !== 'string' ||
      (typeof amount !== 'string' && typeof amount !== 'number')
    ) {
      throw usageError(`${place} requires to, amount and an asset`)
    }
    if (from !== undefined && typeof from !== 'string') {
      throw usageError(`${place}: from must be an address or an alias; default: the account of the key`)
    }
    const balance = { definition: await definitionOf(asset), account: await account(from) }
    jsonForms.push({ asset: balance, to: await account(to), amount: positiveAmountText(String(amount)) })
  }
  return jsonForms
}
