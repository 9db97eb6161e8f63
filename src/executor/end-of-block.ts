/** Owns the ends of blocks: work of features after all runs, each within its declared units. */
import { hash } from '../crypto/index.js'
import type { Overlay } from '../state/index.js'
import { systemAccount } from './accounts.js'
import type { ExecContext, Rejection } from './contract.js'
import { EXECUTIONS } from './executions.js'
import type { FeatureHook } from './feature.js'
import { brokenRun, type OwnRun, onFork, type RunContext } from './own-run.js'
import { runFeature } from './transaction.js'

/** Id of the end of a block of a feature. */
function endOfBlockId(height: number, feature: string): Buffer {
  const place = Buffer.alloc(8)
  place.writeBigUInt64BE(BigInt(height))
  return hash('end-of-block', place, Buffer.from(feature, 'utf8'))
}

/** Write the consensus records of a feature; a throw leaves no changes, equally on every node. */
function settled({ env }: RunContext, overlay: Overlay, { feature, settle }: FeatureHook) {
  const done = settle && onFork(overlay, feature, (fork) => ({ events: settle(fork, env) }))
  return done ?? { events: [] }
}

/**
 * Run the ends of blocks by feature name; returns an entry for each with events or failures. A failed one leaves no
 * changes.
 */
export function runEndsOfBlock(place: RunContext, overlay: Overlay): OwnRun[] {
  const { abi, env, nextIncarnation } = place
  return abi.endOfBlock.flatMap((hook) => {
    const { feature, maxTeu } = hook
    const id = endOfBlockId(env.height, feature)
    const records = settled(place, overlay, hook)
    if ('code' in records) return [brokenRun(place, id, records)]
    if (records.events.length === 0 && hook.run === undefined) return []
    const work = (ctx: ExecContext): Rejection | undefined => {
      for (const event of records.events) ctx.record(event)
      return hook.run?.(ctx)
    }
    const run = onFork(overlay, feature, (fork) =>
      runFeature(EXECUTIONS.endOfBlock, abi, env, fork, {
        authority: systemAccount(feature),
        id,
        payload: undefined,
        content: { own: maxTeu },
        nextIncarnation,
        what: feature,
        work,
      }),
    )
    if (run === undefined) return []
    if ('code' in run) return [brokenRun(place, id, run)]
    if (run.events.length === 0 && run.rejection === undefined) return []
    return [{ id, outcome: run.outcome, rejection: run.rejection, teu: run.contentTeu, events: run.events }]
  })
}
