/** Owns log lines: an event and no state (docs/design/lanes.md 1, row 51). */
import type { Execution } from '../../../executor/contract.js'
import { perContent } from '../../../ledger/content-cost.js'
import { logged } from '../schema/events.js'
import type * as schema from '../schema/instructions.js'

export const log: Execution<schema.Log> = {
  cost: { base: 8, per: [perContent('text', ({ text }) => Buffer.byteLength(text))] },
  execute(ctx, { level, text }) {
    ctx.emit({ kind: logged.kind, value: { by: ctx.authority, level, text } })
    return undefined
  },
}
