/** Owns what a configuration expects of the chain, which decides: a node that expects something else than its last block says stops. */
import { LedgerError } from '../model/index.js'
import type { NodeConfig } from './config/index.js'
import type { Tip } from './ledger/protocol.js'

/** What a configuration says of the chain. */
type Expected = Pick<NodeConfig, 'file' | 'consensus' | 'lanes'>
/** The last block of a node. */
interface LastBlock {
  readonly height: number
  readonly tip: Pick<Tip, 'mode' | 'stagedMode' | 'lanes'>
}

/** Throws where the chain is not as expected: `consensus_mode_mismatch`, `lanes_mismatch`. What is left out expects nothing. */
export function assertExpected(config: Expected, last: LastBlock): void {
  assertMode(config, last)
  assertLanes(config, last)
}

/** A node runs in the mode of its chain, or in the one that waits there. */
function assertMode({ file, consensus }: Expected, { height, tip }: LastBlock): void {
  const { mode, stagedMode } = tip
  const { consensusMode } = consensus
  if (consensusMode === undefined || consensusMode === mode || consensusMode === stagedMode) return
  const staged = stagedMode === undefined ? '' : ` and ${stagedMode} waits`
  throw new LedgerError(
    'consensus_mode_mismatch',
    `consensus.consensus_mode in ${file} is ${consensusMode}, the mode at height ${height}, the last of this node, is ${mode}${staged}`,
    { hint: 'Where the chain changed its mode later, leave the key out: the node follows the chain.' },
  )
}

function assertLanes({ file, lanes }: Expected, { height, tip }: LastBlock): void {
  const actual = tip.lanes !== undefined
  if (lanes.enabled === undefined || lanes.enabled === actual) return
  throw new LedgerError(
    'lanes_mismatch',
    `lanes.enabled in ${file} is ${lanes.enabled}, the parameter lanes.enabled at height ${height}, the last of this node, is ${actual}`,
    { hint: 'Where the chain changed it later, leave the key out: the node follows the chain.' },
  )
}
