/** Owns what a trigger runs: its instructions, which lie apart from its record and are read for a run only. */
import type { CodecContext } from '../../codec/index.js'
import type { Instruction } from '../../model/index.js'
import type { StateReader } from '../../state/index.js'
import type { Rejection } from '../contract.js'
import { storedList } from '../stored-lists.js'
import { type Trigger, triggerPages } from './tables.js'

/** What reads stored instructions: those of the active ABI; addresses are no text in them. */
interface Codecs {
  codec(addressPrefix: string): CodecContext
}

/** Instructions of a trigger; read them before its last run removes it. */
export const instructionsOf = (
  state: StateReader,
  abi: Codecs,
  id: string,
  row: Trigger,
): readonly Instruction[] | Rejection =>
  storedList(state, triggerPages, { of: id, bytes: row.instructionBytes }, abi.codec(''))
