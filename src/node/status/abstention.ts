/** Owns the text about an abstaining node: the reason and the end of its abstention. */
import type { ConsensusState } from '../../consensus/index.js'

/** undefined while the node may vote. */
export function abstentionText({ abstention }: ConsensusState): string | undefined {
  if (abstention === undefined) return undefined
  if (abstention.cause === 'firstStart')
    return 'this node waits until a quorum with it is at genesis (start it with --first-start if its keys never voted)'
  const until =
    abstention.resumeAt === undefined
      ? 'once it has the blocks that the other validators report'
      : `from height ${abstention.resumeAt} on`
  return `this node abstains because its vote log was lost or restored: it votes again ${until}`
}
