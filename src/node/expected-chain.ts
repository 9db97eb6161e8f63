/** Owns the expectations of a configuration about the chain: a node stops if they differ from its last block. */
import { LedgerError } from '../model/index.js'
import type { NodeConfig } from './config/index.js'
import type { Tip } from './ledger/protocol.js'

/** Expectations about the chain in a configuration. */
type Expected = Pick<NodeConfig, 'file' | 'consensus' | 'lanes'>
/** Last block of a node. */
interface LastBlock {
  readonly height: number
  readonly tip: Pick<Tip, 'mode' | 'stagedMode' | 'lanes'>
}

/**
 * Check the chain against the configuration; omitted keys are not checked. Throws `consensus_mode_mismatch` or
 * `lanes_mismatch`.
 */
export function assertExpected(config: Expected, last: LastBlock): void {
  assertMode(config, last)
  assertLanes(config, last)
}

/** Check the consensus mode: it must be the mode of the chain, or its scheduled next mode. */
function assertMode({ file, consensus }: Expected, { height, tip }: LastBlock): void {
  const { mode, stagedMode } = tip
  const { consensusMode } = consensus
  if (consensusMode === undefined || consensusMode === mode || consensusMode === stagedMode) return
  const staged = stagedMode === undefined ? '' : ` and ${stagedMode} is pending`
  throw new LedgerError(
    'consensus_mode_mismatch',
    `consensus.consensus_mode in ${file} is ${consensusMode}, but the mode at height ${height}, the last of this node, is ${mode}${staged}`,
    { hint: 'If the chain changed its mode later, omit the key: the node follows the chain.' },
  )
}

function assertLanes({ file, lanes }: Expected, { height, tip }: LastBlock): void {
  const actual = tip.lanes !== undefined
  if (lanes.enabled === undefined || lanes.enabled === actual) return
  throw new LedgerError(
    'lanes_mismatch',
    `lanes.enabled in ${file} is ${lanes.enabled}, but the parameter lanes.enabled at height ${height}, the last of this node, is ${actual}`,
    { hint: 'If the chain changed it later, omit the key: the node follows the chain.' },
  )
}
