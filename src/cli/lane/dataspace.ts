/**
 * Owns the catalogue of dataspaces on the command line: it is set as a whole, so every change starts from the latest
 * catalogue.
 */
import { Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { instructions } from '../../features/lanes/schema/instructions.js'
import type { Instruction } from '../../model/index.js'
import { textOf, textsOf, type View, viewsOf } from '../gateway/gateway.js'
import { usageError } from '../terminal/failure.js'
import { table } from '../terminal/output.js'
import type { ReadInstruction } from '../transaction/submit.js'

/** Settings of a dataspace. */
export const dataspaceFlags = {
  'fault-tolerance': Flags.integer({
    description: 'faulty members f that its relay committees of 3f + 1 tolerate',
    min: 1,
  }),
  restricted: Flags.boolean({
    description: 'only for accounts of its domains and holders of CanUseDataspace',
    allowNo: true,
  }),
  relayer: Flags.string({
    description: 'consensus key of a peer that may relay (default: the roster)',
    multiple: true,
  }),
}

/** Record fields of the flags; omitted flags are left out. */
export function dataspaceFields(flags: {
  readonly alias?: string | undefined
  readonly 'fault-tolerance'?: number | undefined
  readonly restricted?: boolean | undefined
  readonly relayer?: readonly string[] | undefined
}): View {
  const fields: View = {
    alias: flags.alias,
    fault_tolerance: flags['fault-tolerance'],
    restricted: flags.restricted,
    relayers: flags.relayer,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Dataspaces of a catalogue as input of an instruction, without fields added by the ledger. */
export const dataspacesOf = (catalogue: View): View[] =>
  viewsOf(catalogue.dataspaces).map(({ incarnation: _, ...spec }) => spec)

/** Index of a dataspace in the catalogue. Throws `usage`. */
export function placeOf(all: readonly View[], id: string): number {
  const at = all.findIndex((one) => textOf(one.id) === id)
  if (at < 0) throw usageError(`unknown dataspace ${id}`, 'causeway lane dataspace list')
  return at
}

/** Instruction that sets the whole catalogue. */
export const setDataspaces = (read: ReadInstruction, all: readonly View[]): Instruction =>
  read(instructions.setDataspaces, { dataspaces: all as Json[] })

const relayersText = ({ length }: readonly string[]): string => (length === 0 ? 'roster' : `${length} peers`)

/** Dataspaces with their lanes, one per line. */
export function dataspacesText(catalogue: View): string {
  const lanes = viewsOf(catalogue.lanes).filter((lane) => textOf(lane.state) === 'Active')
  const rows = viewsOf(catalogue.dataspaces).map((one) => [
    textOf(one.id) ?? '',
    textOf(one.alias) ?? '',
    one.restricted === true ? 'restricted' : 'open',
    textOf(one.fault_tolerance) ?? '',
    relayersText(textsOf(one.relayers)),
    lanes.flatMap((lane) => (textOf(lane.dataspace) === textOf(one.id) ? (textOf(lane.id) ?? '') : [])).join(' ') ||
      '-',
  ])
  return table(['DATASPACE', 'ALIAS', 'ACCESS', 'FAULTS', 'RELAYERS', 'LANES'], rows)
}
