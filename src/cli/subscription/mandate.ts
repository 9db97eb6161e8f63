/** Owns mandates on the command line: limits that a subscriber signs. */
import { Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { parseTime } from '../input/time.js'
import { amountOfAsset } from '../lane/settlement.js'
import { usageError } from '../terminal/failure.js'

/** Flags of a mandate; `max` is the maximum of a charge. */
export const mandateFlags = {
  'max-total': Flags.string({
    description: 'maximum of all charges together, for example "12 eur#bank"',
    dependsOn: ['max'],
  }),
  'valid-until': Flags.string({
    description: 'time at which the mandate ends, for example 2027-12-31',
    dependsOn: ['max'],
  }),
}

interface MandateTexts {
  readonly max: string
  readonly 'max-total'?: string | undefined
  readonly 'valid-until'?: string | undefined
}

/** JSON of a mandate in the asset of a plan; throws `usage` for another asset. */
export async function mandateOf(
  { max, 'max-total': total, 'valid-until': until }: MandateTexts,
  planAsset: string | undefined,
  asset: (text: string) => Promise<string>,
): Promise<Json> {
  const amountIn = async (text: string, flag: string): Promise<string> => {
    const { amount, definition } = amountOfAsset(text, flag)
    if ((await asset(definition)) !== planAsset) throw usageError(`${flag} "${text}": the plan charges ${planAsset}`)
    return amount
  }
  return {
    max_per_period: await amountIn(max, '--max'),
    total_max: total === undefined ? null : await amountIn(total, '--max-total'),
    until_ms: until === undefined ? null : parseTime(until, '--valid-until'),
  }
}
