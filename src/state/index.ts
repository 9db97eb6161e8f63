/** Owns the public face of the world state. */
export type { StateBackend, StateBatch } from './backend.js'
export { DEFAULT_TREE_BITS } from './bucket-depths.js'
export { type DifferingRow, differingRows } from './compare.js'
export { StateFault } from './fault.js'
export { FrozenState, type StoredRow } from './frozen-state.js'
export { stateHead } from './head.js'
export { HeightState } from './height-state.js'
export { type DamagedRow, damagedRows, rowDamage } from './integrity.js'
export { LeafSum } from './leaf-sum.js'
export { LevelBackend } from './level-backend.js'
export { MemoryBackend } from './memory-backend.js'
export { Overlay } from './overlay.js'
export { dropPages, type PageTable, pageSchemas, ROW_MAX_BYTES, readPages, writePages } from './pages.js'
export { type StateProof, stateProof, verifyStateProof } from './proof.js'
export { EMPTY_ROWS, type RowReader, type StateReader, type StateWriter } from './reader.js'
export {
  type Purse,
  READ_BYTES_PER_UNIT,
  ROW_CHANGE_UNITS,
  ROW_TOUCH_UNITS,
  RowMeter,
  WRITE_BYTES_PER_UNIT,
} from './row-meter.js'
export { type RowKey, type RowTable, rowKey, rowKeyBytes, TABLE_ID_BYTES, type TableDef, tableIdOf } from './table.js'
export { type CandidateRow, type IndexChanges, type StateCandidate, WorldState } from './world-state.js'
