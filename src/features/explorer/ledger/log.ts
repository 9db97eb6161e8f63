/** Owns log lines: an event without state (docs/design/lanes.md 1, row 51). */

import { perContent } from '../../../executor/costs.js'
import type { Executions } from '../../../executor/feature.js'
import { events, type instructions } from '../schema/log.js'

export const execute = {
  log: {
    cost: { base: 8, per: [perContent('text', ({ text }) => Buffer.byteLength(text))] },
    execute(ctx, { level, text }) {
      ctx.emit(events.logged, { by: ctx.authority, level, text })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
