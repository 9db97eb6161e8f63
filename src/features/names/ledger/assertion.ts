/**
 * Owns the assertion of aliases at the head of a transaction: each must resolve in the block as it did when the
 * transaction was built.
 */
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { parseAliasText } from '../../../model/index.js'
import type { AssertAliases, AssertedAlias } from '../schema/instructions.js'
import { accountOfAlias, definitionOfAlias } from './resolution.js'

function movedFault(ctx: ExecContext, { text, target }: AssertedAlias): Rejection | undefined {
  const alias = parseAliasText(text)
  if (alias === undefined) return reject('bad_name', `alias ${JSON.stringify(text)} is not path@domain, iban: or ccy:`)
  const resolve = target.kind === 'account' ? accountOfAlias : definitionOfAlias
  const now = resolve(ctx, alias, ctx.env.timeMs)
  if (now === target.value) return undefined
  return reject(
    'alias_moved',
    now === undefined
      ? `alias ${text} does not resolve now`
      : `alias ${text} resolves to another ${target.kind === 'account' ? 'account' : 'asset definition'} now`,
  )
}

export const assertAliases: Execution<AssertAliases> = {
  cost: { base: 0, per: [{ teu: 40, item: 'alias, at least one', count: ({ items }) => Math.max(1, items.length) }] },
  primaryDomain: () => [],
  execute(ctx, { items }) {
    for (const item of items) {
      const moved = movedFault(ctx, item)
      if (moved) return moved
    }
    return undefined
  },
}
